/**
 * Fetches the three exports that a comparison needs, one after the other. Each remote serves one comparison
 * at a time.
 */
import { closeSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { type Clock, type EpochMs, MINUTE_MS, SECOND_MS } from '../clock.ts';
import { momentText } from '../validation/calendar.ts';
import { textMemberIn } from '../validation/json-value.ts';
import { foreignText } from '../validation/text.ts';
import { type ComparisonFailure, comparisonFailure } from './codes.ts';
import type { ComparedFile, ComparedFiles } from './compare/model.ts';
import type { Comparison } from './model.ts';
import type { WireAnswer, WireRequest, Wires } from './wire/model.ts';

/** Attempts for an export that fails. */
const ATTEMPTS = 5;
const RETRY_MS = 30 * SECOND_MS;
/** A person must repeat an export whose rests, single or in sum, exceed this time. */
const LONGEST_REST_MS = 15 * MINUTE_MS;
const OK = 200;
const NOTHING = 204;

/** Exports include inactive records where the kind has them. */
const EXPORTS: Readonly<Record<ComparedFile, (raiz: string) => Omit<WireRequest, 'method'>>> = {
  produtos: (raiz) => ({ operation: 'exportProducts', path: `/catp/api/ext/produto/exportar/${raiz}/true` }),
  operadores: (raiz) => ({
    operation: 'exportForeignOperators',
    path: `/catp/api/ext/operador-estrangeiro/exportar/${raiz}/true`,
  }),
  vinculos: (raiz) => ({ operation: 'exportLinks', path: `/catp/api/ext/fabricante/exportar/${raiz}` }),
};

export class ExportFetcher {
  readonly #wires: Wires;
  readonly #clock: Clock;
  readonly #pathOf: (storedFile: string) => string;
  readonly #discard: (storedFile: string) => Promise<void>;
  /** Called before each wait, so that the screen can show why nothing happens. */
  onWait: ((until: EpochMs, reason: string) => void) | undefined;
  #watcher: { readonly remoteId: number; readonly onWaiting: () => void } | undefined;
  /** The time of the next attempt of each remote that waits. */
  readonly #waiting = new Map<number, EpochMs>();

  constructor(
    wires: Wires,
    clock: Clock,
    pathOf: (storedFile: string) => string,
    discard: (storedFile: string) => Promise<void>,
  ) {
    this.#wires = wires;
    this.#clock = clock;
    this.#pathOf = pathOf;
    this.#discard = discard;
  }

  /**
   * Resolves when the export of this remote has to wait. A job on a manual clock would otherwise block
   * itself.
   */
  whenWaiting(remoteId: number): Promise<void> {
    const { promise, resolve: onWaiting } = Promise.withResolvers<void>();
    if (this.#waiting.has(remoteId)) onWaiting();
    this.#watcher = { remoteId, onWaiting };
    return promise;
  }

  /** Returns the time of the next attempt. `undefined`: nothing waits. */
  get waitsUntil(): EpochMs | undefined {
    return this.#waiting.size === 0 ? undefined : Math.min(...this.#waiting.values());
  }

  /**
   * Returns the names of the stored exports, or the reason of the failure. `undefined`: `abandonSignal` was aborted
   * first.
   */
  async fetch(
    { remoteId, cpfCnpjRaiz }: Comparison,
    abandonSignal: AbortSignal,
  ): Promise<ComparedFiles | { readonly failed: ComparisonFailure } | undefined> {
    const storedFiles: Partial<Record<ComparedFile, string>> = {};
    for (const name of ['produtos', 'operadores', 'vinculos'] as const) {
      const storedFile = crypto.randomUUID();
      storedFiles[name] = storedFile;
      const failed = await this.#export(remoteId, EXPORTS[name](cpfCnpjRaiz), storedFile, abandonSignal);
      if (failed === undefined) continue;
      for (const file of Object.values(storedFiles)) await this.#discard(file);
      return failed === STOPPED ? undefined : { failed: comparisonFailure('notFetched', failed) };
    }
    return storedFiles as ComparedFiles;
  }

  /** Fetches one export. `undefined`: it succeeded. */
  async #export(
    remoteId: number,
    request: Omit<WireRequest, 'method'>,
    storedFile: string,
    abandonSignal: AbortSignal,
  ): Promise<string | undefined> {
    const path = this.#pathOf(storedFile);
    let attempts = 0;
    /**
     * Rests are counted per operation: the hourly limit of one operation does not affect the others.
     */
    const restedMs = new Map<string, number>();
    for (;;) {
      if (abandonSignal.aborted) return STOPPED;
      const wire = this.#wires.open(remoteId);
      const answer = rejectHtml(
        await wire.download({ ...request, method: 'GET' }, path, abandonSignal),
        path,
      );
      if (abandonSignal.aborted) return STOPPED;
      if (answer.kind === 'answer') return this.#finishExport(answer, path);
      if (answer.kind === 'stopped' || answer.kind === 'tooLarge') return answer.reason;
      if (answer.kind === 'unknown') {
        attempts += 1;
        if (attempts === ATTEMPTS)
          return `A exportação não veio em ${ATTEMPTS} tentativas: ${answer.reason}.`;
      }
      if (answer.kind === 'rest') {
        const { operation, until, reason } = answer;
        const totalMs = (restedMs.get(operation) ?? 0) + until - this.#clock.now();
        if (totalMs > LONGEST_REST_MS)
          return `Nada é pedido ao remoto até ${momentText(until)} (${reason}); repita a comparação depois.`;
        restedMs.set(operation, totalMs);
      }
      await this.#waitUntil(
        remoteId,
        answer.until ?? this.#clock.now() + RETRY_MS,
        answer.reason,
        abandonSignal,
      );
    }
  }

  async #finishExport({ status, body }: Extract<WireAnswer, { kind: 'answer' }>, path: string) {
    if (status !== OK && status !== NOTHING)
      return `O remoto recusou a exportação: ${refusalText(status, body)}`;
    const size = status === OK ? statSync(path).size : 0;
    if (size === 0) writeFileSync(path, '[]', { mode: 0o600 }); // the remote has no records
    return undefined;
  }

  async #waitUntil(
    remoteId: number,
    until: EpochMs,
    reason: string,
    abandonSignal: AbortSignal,
  ): Promise<void> {
    this.onWait?.(until, reason);
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => resolve();
    const timer = this.#clock.at(until, end);
    abandonSignal.addEventListener('abort', end);
    this.#waiting.set(remoteId, until);
    if (this.#watcher?.remoteId === remoteId) this.#watcher.onWaiting();
    await promise;
    this.#waiting.delete(remoteId);
    timer.cancel();
    abandonSignal.removeEventListener('abort', end);
  }
}

const STOPPED = 'stopped';
const HEAD_BYTES = 64;

/** Rejects a gateway page with status 200: neither a ZIP nor JSON begins like it. */
function rejectHtml(answer: WireAnswer, path: string): WireAnswer {
  if (answer.kind !== 'answer' || answer.status !== OK) return answer;
  return /^(?:\uFEFF)?\s*</.test(headOf(path))
    ? { kind: 'unknown', reason: 'a resposta é uma página' }
    : answer;
}

function headOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

function refusalText(status: number, body: unknown): string {
  const message = textMemberIn(body, 'message');
  return message === undefined ? String(status) : `${status}, ${foreignText(message)}`;
}
