/**
 * Reads the links of the remote. Only their export lists them (contract section 18), so one export serves
 * all waiting steps.
 */
import { rmSync } from 'node:fs';
import { type Clock, SECOND_MS, type EpochMs } from '../../clock.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { readItems } from '../../files/json-members.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import { keyOfLink, linkIn } from '../compare/link.ts';
import { isObject } from '../../validation/json-value.ts';
import type { Wire } from '../wire/model.ts';
import type { Run, Step } from './model.ts';
import { Interrupted, LookupRefused, parseRefusal } from './wire-words.ts';

const RETRY_MS = 30 * SECOND_MS;

/**
 * Downloads and reads the export. `file`: path of the temporary export. Throws `Interrupted`,
 * `LookupRefused`.
 */
export async function downloadLinks(
  wire: Wire,
  cpfCnpjRaiz: string,
  { file, limits, now }: { readonly file: string; readonly limits: FileLimits; readonly now: EpochMs },
): Promise<ReadonlySet<string>> {
  const path = `/catp/api/ext/fabricante/exportar/${cpfCnpjRaiz}`;
  try {
    const answer = await wire.download({ operation: 'exportLinks', method: 'GET', path }, file);
    if (answer.kind === 'rest' || answer.kind === 'stopped' || answer.kind === 'tooLarge')
      throw new Interrupted(answer);
    if (answer.kind === 'unknown')
      throw new Interrupted({ kind: 'rest', operation: 'all', until: now + RETRY_MS, reason: answer.reason });
    if (answer.status >= 400) throw new LookupRefused(parseRefusal(answer.status, answer.body));
    const keys = new Set<string>();
    for await (const { value } of readItems(file, limits)) {
      const link = isObject(value) ? linkIn(value) : undefined;
      if (link !== undefined) keys.add(keyOfLink(link));
    }
    return keys;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new Interrupted({ kind: 'rest', operation: 'all', until: now + RETRY_MS, reason: error.message });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Returns the keys of all remote links, from an export. Throws `Interrupted`, `LookupRefused`. */
export type DownloadLinks = (run: Run, wire: Wire) => Promise<ReadonlySet<string>>;

/**
 * Cache of the links of the last run that requested them. One export serves all steps whose lookup was due
 * when it began.
 */
export class SharedLinks {
  readonly #clock: Clock;
  readonly #downloadLinks: DownloadLinks;
  #exported: { readonly run: number; readonly at: EpochMs; readonly keys: ReadonlySet<string> } | undefined;

  constructor(clock: Clock, downloadLinks: DownloadLinks) {
    this.#clock = clock;
    this.#downloadLinks = downloadLinks;
  }

  /** Returns the link keys. Throws `Interrupted`, `LookupRefused`. */
  async for(run: Run, wire: Wire, { due }: Pick<Step, 'due'>): Promise<ReadonlySet<string>> {
    const lastExport = this.#exported;
    if (lastExport?.run === run.id && due !== null && due <= lastExport.at) return lastExport.keys;
    const at = this.#clock.now();
    this.#exported = undefined;
    const keys = await this.#downloadLinks(run, wire);
    this.#exported = { run: run.id, at, keys };
    return keys;
  }

  forget(runId: number): void {
    if (this.#exported?.run === runId) this.#exported = undefined;
  }
}
