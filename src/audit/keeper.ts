/** Has the seal outside the database follow the trail, and tells where the trail is not sound. */
import { type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import type { Writer } from '../db/writer.ts';
import type { Logger } from '../log/log.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import type { Fault } from './fault.ts';
import { SEAL_FILE } from '../db/folder.ts';
import type { AuditTrail } from './trail.ts';

/** Half of what the contract allows: the seal itself takes its time. */
const SEALED_AFTER_MS = SECOND_MS / 2;

export interface KeeperParts {
  readonly trail: AuditTrail;
  readonly writer: Pick<Writer, 'write' | 'trouble'>;
  readonly realTime: RealTime;
  readonly log: Logger;
}

export class Keeper {
  readonly #parts: KeeperParts;
  #timer: Timer | undefined;
  #isTold = false;
  #isFailing = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** A page was added. */
  grown(): void {
    this.#timer ??= this.#parts.realTime.after(SEALED_AFTER_MS, () => void this.#seal());
    this.#tell();
  }

  /** Before the first change of a folder that has no seal outside: a new one, a restored one, one of an older version. */
  async begin(): Promise<void> {
    if (this.#parts.trail.isFresh) await this.#seal();
  }

  /** At the start of a server, or once somebody has read it all: has the trail itself say what is wrong with it. */
  async inspect(found?: Fault): Promise<void> {
    const { trail, writer } = this.#parts;
    await this.#tried(writer.write((tx) => trail.inspect(tx, found)));
    this.#tell();
    await this.#seal();
  }

  async close(): Promise<void> {
    if (!this.#parts.trail.isSealed) await this.#seal();
    this.#timer?.cancel();
  }

  /** What cannot be done now is done with the next page, or at the next start. */
  async #seal(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const { trail, writer } = this.#parts;
    // A transaction that writes nothing would seem to say that there is room again.
    if (writer.trouble === undefined) await this.#tried(writer.write((tx) => trail.seal(tx)));
  }

  async #tried(work: Promise<void>): Promise<void> {
    try {
      await work;
      this.#isFailing = false;
    } catch (error) {
      if (systemCode(error) === undefined || this.#isFailing) return; // what the database refuses, the writer tells
      this.#isFailing = true;
      this.#parts.log.warning(
        '{file} não pôde ser gravado ({reason}): o selo da trilha de auditoria fica para trás. Verifique a pasta e o disco.',
        { file: SEAL_FILE, reason: reasonOf(error) },
      );
    }
  }

  #tell(): void {
    const { fault } = this.#parts.trail;
    if (fault === undefined || this.#isTold) return;
    this.#isTold = true;
    this.#parts.log.error(UNSOUND_TEXT, { fault: fault.message });
  }
}

const UNSOUND_TEXT =
  'A trilha de auditoria não está inteira. {fault} Guarde a pasta e as cópias de segurança como estão, e confira com catp audit verify.';
