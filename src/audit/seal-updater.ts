/** Updates the seal outside the database after each change of the trail, and reports faults of the trail. */
import { type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import type { Writer } from '../db/writer.ts';
import type { Logger } from '../log/log.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import type { Fault } from './fault.ts';
import { SEAL_FILE } from '../db/folder.ts';
import type { AuditTrail } from './trail.ts';

/** Half of the time that the contract allows: writing the seal takes time too. */
const SEALED_AFTER_MS = SECOND_MS / 2;

export class SealUpdater {
  readonly #trail: AuditTrail;
  readonly #writer: Pick<Writer, 'write' | 'trouble'>;
  readonly #realTime: RealTime;
  readonly #log: Logger;
  #timer: Timer | undefined;
  #isLogged = false;
  #isFailing = false;

  constructor(trail: AuditTrail, writer: Pick<Writer, 'write' | 'trouble'>, realTime: RealTime, log: Logger) {
    this.#trail = trail;
    this.#writer = writer;
    this.#realTime = realTime;
    this.#log = log;
  }

  /** Called when a page was added. */
  onPageAdded(): void {
    this.#timer ??= this.#realTime.after(SEALED_AFTER_MS, () => void this.#seal());
    this.#logFault();
  }

  /**
   * Writes the first outer seal of a folder without one: a new one, a restored one, one of an older version.
   * Call it before the first change.
   */
  async begin(): Promise<void> {
    if (this.#trail.isFresh) await this.#seal();
  }

  /** Records a fault in the trail itself, at the start of a server or after a complete check. */
  async inspect(fault?: Fault): Promise<void> {
    await this.#logFailure(this.#writer.write((tx) => this.#trail.inspect(tx, fault)));
    this.#logFault();
    await this.#seal();
  }

  async close(): Promise<void> {
    if (!this.#trail.isSealed) await this.#seal();
    this.#timer?.cancel();
  }

  /** Writes the seal. A failed attempt is repeated with the next page, or at the next start. */
  async #seal(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    // A transaction without a write would wrongly report free space.
    if (this.#writer.trouble === undefined)
      await this.#logFailure(this.#writer.write((tx) => this.#trail.seal(tx)));
  }

  async #logFailure(work: Promise<void>): Promise<void> {
    try {
      await work;
      this.#isFailing = false;
    } catch (error) {
      if (systemCode(error) === undefined || this.#isFailing) return; // the writer reports what the database refuses
      this.#isFailing = true;
      this.#log.warning(
        '{file} não pôde ser gravado ({reason}): o selo da trilha de auditoria fica para trás. Verifique a pasta e o disco.',
        { file: SEAL_FILE, reason: reasonOf(error) },
      );
    }
  }

  #logFault(): void {
    const { fault } = this.#trail;
    if (fault === undefined || this.#isLogged) return;
    this.#isLogged = true;
    this.#log.error(UNSOUND_TEXT, { fault: fault.message });
  }
}

const UNSOUND_TEXT =
  'A trilha de auditoria não está íntegra. {fault} Guarde a pasta e as cópias de segurança como estão, e confira com catp audit verify.';
