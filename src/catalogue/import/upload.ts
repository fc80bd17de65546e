/** Receives the multipart form of an upload. Writes its file to disk as it arrives, with any size. */
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import type { Static, TSchema } from '@sinclair/typebox';
import { DomainError, type Problem, malformed } from '../../errors.ts';
import { bodyReader, tooLarge, unsupported } from '../../http/body.ts';
import { MALFORMED_CODE, fieldProblem } from '../../validation/decoding.ts';
import { bytesText } from '../../validation/text.ts';
import { decode } from '../../validation/decode.ts';
import { asSchema } from '../../validation/schema.ts';
import type { ImportFolder, StoredFile } from './folder.ts';
import type { ImportKind } from './model.ts';
import type { ArrivingUpload, WaitingUploads } from './waiting-uploads.ts';

const MULTIPART = 'multipart/form-data';

export const isMultipart = (request: Request): boolean =>
  request.headers.get('content-type')?.toLowerCase().startsWith('multipart/form-data') === true;

/** The most bytes of one field: as many as the body of a request without a file. */
const FIELD_BYTES = 2 * 1024 * 1024;

/** Limits of a form without its file: far more than needed. */
const FORM_LIMITS = {
  fieldSize: FIELD_BYTES,
  fields: 20,
  parts: 25,
  headerPairs: 50,
  headerSize: 16 * 1024,
} as const;

/** Bytes that the form parses before its failure is looked at. */
const WRITTEN_BYTES = 64 * 1024;

/** Bytes of boundaries, headers and the other fields, in addition to the file. */
const FORM_OVERHEAD_BYTES = FIELD_BYTES + 1024 * 1024;

const FILE_NAME_MAX_CHARACTERS = 255;

export interface UploadParts {
  readonly folder: ImportFolder;
  /** Bytes of the file (setting `importacao.maximo`). */
  readonly maxBytes: number;
  readonly waiting: WaitingUploads;
}

/** A received file. */
export interface UploadedFile {
  /** The sender's name for the file. It is only displayed. */
  readonly fileName: string;
  /** The name of the file in the folder of imports. */
  readonly storedFile: string;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A received form: its fields, and its stored file. */
export interface Upload<Fields> extends UploadedFile {
  readonly fields: Fields;
}

/** A received form with several files, by the names of their fields. */
export interface Uploads<Fields, Name extends string> {
  readonly fields: Fields;
  readonly files: Readonly<Record<Name, UploadedFile>>;
}

/** The content of a zip: spreadsheets, with or without records, or only records. */
export type ZipContentKind = 'sheets' | 'records';

/** The fields of a form with a spreadsheet. */
export interface SheetUpload {
  readonly cpfCnpjRaiz?: string | undefined;
  readonly tipo: ImportKind;
  /** The JSON that describes how its rows are read. */
  readonly planilha: string | undefined;
  readonly simular: boolean;
  /** The number that a brake requires, as JSON. */
  readonly expected?: string | undefined;
}

/** Receives an upload and syncs its file to disk. Throws 400, 413, 415, 422, and then removes the file. */
export async function receiveUpload<Form extends TSchema>(
  parts: Pick<UploadParts, 'folder' | 'maxBytes'>,
  arriving: ArrivingUpload,
  request: Request,
  schema: Form,
): Promise<Upload<Static<Form>>> {
  const { fields, files } = await receiveUploads(parts, arriving, request, schema, ['file']);
  return { fields, ...files.file };
}

/** Receives a form with a file in each named field. `schema` requires these fields as texts. */
export async function receiveUploads<Form extends TSchema, const Name extends string>(
  parts: Pick<UploadParts, 'folder' | 'maxBytes'>,
  arriving: ArrivingUpload,
  request: Request,
  schema: Form,
  names: readonly Name[],
): Promise<Uploads<Static<Form>, Name>> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!contentType.toLowerCase().startsWith(MULTIPART)) throw unsupported(contentType, [MULTIPART]);
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > parts.maxBytes * names.length + FORM_OVERHEAD_BYTES) throw tooLarge(parts.maxBytes);

  const stored = new Map<string, StoredFile>();
  try {
    for (const name of names) stored.set(name, await parts.folder.create());
    const form = new ReceivedForm(stored, parts.maxBytes, arriving);
    await form.read(contentType, bodyReader(request));
    for (const { handle } of stored.values()) await handle.sync();
    await parts.folder.sync();
    for (const { handle } of stored.values()) await handle.close();
    const { fields, files } = form.judged(schema);
    return { fields, files: files as Record<Name, UploadedFile> }; // the schema requires each
  } catch (error) {
    for (const { name, handle } of stored.values()) {
      await handle.close();
      await parts.folder.remove(name);
    }
    throw isOutOfSpace(error) ? noSpace(error) : error;
  }
}

/** The received part of one file. */
class ReceivedFile {
  readonly #stored: StoredFile;
  readonly #hash = new Bun.CryptoHasher('sha256');
  readonly fileName: string;
  #size = 0;

  constructor(stored: StoredFile, fileName: string) {
    this.#stored = stored;
    this.fileName = fileName;
  }

  /** Writes the file as it arrives. Throws 413 as soon as it is too long, 422 once there is no room for it. */
  async store(stream: BusboyFileStream, maxBytes: number, arriving: ArrivingUpload): Promise<void> {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      this.#size += chunk.length;
      if (this.#size > maxBytes) throw tooLarge(maxBytes);
      arriving.add(chunk.length);
      this.#hash.update(chunk);
      await this.#stored.handle.writeFile(chunk);
    }
  }

  uploaded(): UploadedFile {
    const { fileName } = this;
    const { name: storedFile } = this.#stored;
    return { fileName, storedFile, sha256: this.#hash.digest('hex'), bytes: this.#size };
  }
}

class ReceivedForm {
  readonly #stored: ReadonlyMap<string, StoredFile>;
  readonly #maxBytes: number;
  readonly #arriving: ArrivingUpload;
  readonly #fields = new Map<string, string>();
  readonly #files = new Map<string, ReceivedFile>();
  readonly #problems: Problem[] = [];

  constructor(stored: ReadonlyMap<string, StoredFile>, maxBytes: number, arriving: ArrivingUpload) {
    this.#stored = stored;
    this.#maxBytes = maxBytes;
    this.#arriving = arriving;
  }

  /** Reads the form. Ends with the first failure of the form, the file size, or the disk. */
  async read(contentType: string, body: () => Promise<Uint8Array | undefined>): Promise<void> {
    const form = await openForm(contentType, this.#stored.size + 1);
    const failed = Promise.withResolvers<never>();
    const ending = new AbortController();
    const fail = (error: unknown): void => {
      ending.abort();
      failed.reject(error);
    };
    const storing: Promise<void>[] = [];
    form.on('error', (error) => fail(unreadableForm(error)));
    // The form would parse all further parts, only to drop them.
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
      form.on(limit, () => fail(tooManyParts(this.#stored.keys())));
    form.on('field', (name, value, _, isCut) => {
      if (isCut) fail(malformed([fieldProblem(name, `tem mais de ${bytesText(FIELD_BYTES)}; envie menos.`)]));
      else this.#takeField(name, value);
    });
    form.on('file', (name, stream, fileName) => {
      stream.on('error', (error) => fail(unreadableForm(error)));
      const stored = this.#takeFile(name, stream, fileName);
      stored.catch(fail);
      storing.push(stored);
    });
    const finished = new Promise<void>((resolve) => form.once('finish', resolve));
    const received = async (): Promise<void> => {
      await send(body, form, failed.promise, ending.signal);
      await finished;
      await Promise.all(storing);
    };
    await Promise.race([received(), failed.promise]);
  }

  /** Returns the decoded fields. Throws 400 with every problem of the form. */
  judged<Form extends TSchema>(schema: Form) {
    const files = [...this.#files];
    const fileNames = files.map(([name, { fileName }]) => [name, fileName] as const);
    const { value, problems } = decode(asSchema(schema), Object.fromEntries([...this.#fields, ...fileNames]));
    const all = [...this.#problems, ...problems];
    if (all.length > 0) throw malformed(all);
    const fields: Static<Form> = value; // the schema guarantees it
    return { fields, files: Object.fromEntries(files.map(([name, file]) => [name, file.uploaded()])) };
  }

  #takeField(name: string, value: string): void {
    if (this.#stored.has(name))
      this.#problems.push(fieldProblem(name, 'recebido um texto; envie um arquivo.'));
    else if (this.#fields.has(name)) this.#problems.push(repeated(name));
    this.#fields.set(name, value);
  }

  async #takeFile(name: string, stream: BusboyFileStream, fileName: string | undefined): Promise<void> {
    const stored = this.#stored.get(name);
    if (stored !== undefined && !this.#files.has(name)) {
      const file = new ReceivedFile(stored, displayName(fileName));
      this.#files.set(name, file);
      return file.store(stream, this.#maxBytes, this.#arriving);
    }
    if (stored !== undefined) this.#problems.push(repeated(name));
    else this.#fields.set(name, fileName ?? ''); // the schema reports the unknown member
    stream.resume();
  }
}

/**
 * Sends the body to the form no faster than the form reads it. Drops the rest of the body once the form has
 * failed.
 */
async function send(
  body: () => Promise<Uint8Array | undefined>,
  form: BusboyInstance,
  failed: Promise<never>,
  ending: AbortSignal,
): Promise<void> {
  const next = () => body().catch((error: unknown) => Promise.reject(unreadableForm(error) as Error));
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
    for (let offset = 0; offset < chunk.length; offset += WRITTEN_BYTES) {
      if (ending.aborted) return;
      if (form.write(Buffer.from(chunk.subarray(offset, offset + WRITTEN_BYTES)))) continue;
      const drained = new Promise<void>((resolve) => form.once('drain', resolve));
      await Promise.race([drained, failed]);
    }
  }
  form.end();
}

async function openForm(contentType: string, files: number): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy'); // loaded at the first upload
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: { ...FORM_LIMITS, files } });
  } catch (error) {
    throw unreadableForm(error);
  }
}

/** Converts a failure of the form. A disconnected sender has also sent half a form. */
function unreadableForm(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const message = 'O corpo não é um formulário multipart/form-data completo; envie-o de novo, inteiro.';
  return new DomainError('malformed', message, {
    problems: [{ code: MALFORMED_CODE, message, field: null, path: '' }],
    cause: error,
  });
}

function tooManyParts(files: Iterable<string>): DomainError {
  const { fields, parts } = FORM_LIMITS;
  const message = `O formulário tem mais de ${fields} campos, de ${parts} partes ou de um arquivo em ${[...files].join(', ')}; envie só os campos desta operação.`;
  return malformed([{ code: MALFORMED_CODE, message, field: null, path: '' }]);
}

const isOutOfSpace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

const noSpace = (cause: unknown): DomainError =>
  new DomainError(
    'unavailable',
    'O disco está cheio; o arquivo não foi recebido. Libere espaço e tente de novo.',
    { cause },
  );

const repeated = (name: string): Problem =>
  fieldProblem(name, 'recebido mais de uma vez; informe uma só vez.');

/** Returns the name to store and display: not empty, storable, of limited length. */
function displayName(fileName: string | undefined): string {
  const name = (fileName ?? '')
    .toWellFormed()
    .replaceAll('\0', '')
    .slice(0, FILE_NAME_MAX_CHARACTERS)
    .toWellFormed();
  return name === '' ? 'arquivo' : name;
}
