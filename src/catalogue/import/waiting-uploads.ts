/**
 * Bounds the uploads of each user and each company that occupy the disk: those that arrive, and those whose
 * work waits or runs (contract section 16, Limits).
 */
import { statSync } from 'node:fs';
import { unprocessable } from '../../errors.ts';
import { bytesText } from '../../files/unreadable-file.ts';
import type { Caller } from '../../session/model.ts';
import { violated } from '../codes.ts';
import type { ImportFolder } from './folder.ts';

/** Maximum uploads of one user [ours]. A company may have twice as many, and twice the bytes. */
const UPLOADS_OF_USER = 100;
const COMPANY_TIMES = 2;

/** An unfinished work and its uploaded files. */
export interface WaitingWork {
  readonly documento: string;
  /** `null`: of several companies, or not read yet. */
  readonly company: string | null;
  readonly files: readonly string[];
}

interface Amount {
  uploads: number;
  bytes: number;
}

/** An upload of a request, from its first byte until its work is stored. */
export interface ArrivingUpload extends Disposable {
  /** Counts received bytes. Throws 422 if they do not fit. */
  readonly add: (bytes: number) => void;
}

export class WaitingUploads {
  readonly #folder: Pick<ImportFolder, 'pathOf'>;
  readonly #works: () => Iterable<WaitingWork>;
  /** Setting `importacao.esperando`. */
  readonly #maxBytes: number;
  /** Uploads that arrive, by user. `ended`: how many of them have arrived since. */
  readonly #arriving = new Map<string, Amount & { ended: number }>();

  constructor(folder: Pick<ImportFolder, 'pathOf'>, works: () => Iterable<WaitingWork>, maxBytes: number) {
    this.#folder = folder;
    this.#works = works;
    this.#maxBytes = maxBytes;
  }

  /** Throws 422 if the caller, or each of its companies, has too many uploads. */
  begin({ documento, companies }: Caller): ArrivingUpload {
    const works = [...this.#works()];
    let own = this.#amountOf(works, (work) => work.documento === documento);
    const arriving = this.#arriving.get(documento) ?? { uploads: 0, bytes: 0, ended: 0 };
    const uploads = own.uploads + arriving.uploads;
    const most = { uploads: UPLOADS_OF_USER, bytes: this.#maxBytes };
    if (uploads >= most.uploads || own.bytes >= most.bytes)
      throw noRoom('Este usuário', { ...own, uploads }, most);
    this.#requireRoomOf(works, companies.keys());
    this.#arriving.set(documento, arriving);
    arriving.uploads += 1;
    let [bytes, { ended }] = [0, arriving];
    return {
      add: (more) => {
        bytes += more;
        arriving.bytes += more;
        if (ended !== arriving.ended) {
          ended = arriving.ended;
          own = this.#amountOf([...this.#works()], (work) => work.documento === documento);
        }
        if (own.bytes + arriving.bytes > most.bytes)
          throw noRoom('Este usuário', { uploads, bytes: own.bytes + arriving.bytes - bytes }, most);
      },
      [Symbol.dispose]: () => {
        arriving.uploads -= 1;
        arriving.bytes -= bytes;
        arriving.ended += 1;
        if (arriving.uploads === 0) this.#arriving.delete(documento);
      },
    };
  }

  /** The company of an upload is unknown before it is read, so one with room suffices. */
  #requireRoomOf(works: readonly WaitingWork[], companies: Iterable<string>): void {
    const most = { uploads: UPLOADS_OF_USER * COMPANY_TIMES, bytes: this.#maxBytes * COMPANY_TIMES };
    let refusal: Error | undefined;
    for (const company of companies) {
      const amount = this.#amountOf(works, (work) => work.company === company);
      if (amount.uploads < most.uploads && amount.bytes < most.bytes) return;
      refusal ??= noRoom(`A empresa ${company}`, amount, most);
    }
    if (refusal !== undefined) throw refusal;
  }

  #amountOf(works: readonly WaitingWork[], isCounted: (work: WaitingWork) => boolean): Amount {
    const amount = { uploads: 0, bytes: 0 };
    for (const work of works) {
      if (work.files.length === 0 || !isCounted(work)) continue;
      amount.uploads += 1;
      for (const file of work.files)
        amount.bytes += statSync(this.#folder.pathOf(file), { throwIfNoEntry: false })?.size ?? 0;
    }
    return amount;
  }
}

const noRoom = (holder: string, { uploads, bytes }: Amount, most: Amount) =>
  unprocessable([
    violated(
      'noRoomForUpload',
      null,
      `${holder} já tem ${uploads} ${uploads === 1 ? 'arquivo enviado que ainda chega, espera ou é importado' : 'arquivos enviados que ainda chegam, esperam ou são importados'} (${bytesText(bytes)}); são aceitos até ${most.uploads}, com ${bytesText(most.bytes)} ao todo. Espere que terminem, ou cancele algum, e envie este de novo.`,
    ),
  ]);
