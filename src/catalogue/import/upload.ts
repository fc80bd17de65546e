/** Receives the multipart form of an upload: its file goes to disk as it comes, whatever its size. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { DomainError, type Problem, malformed } from '../../errors.ts';
import { tooLarge, unsupported } from '../../http/body.ts';
import { MALFORMED_CODE, asSchema, decode } from '../../validation/decode.ts';
import type { ImportFolder, StoredFile } from './folder.ts';
import { ImportForm, type ImportRequest } from './model.ts';

const MULTIPART = 'multipart/form-data';

/** What a form may hold beside its file: far more than is ever needed. */
const FORM_LIMITS = {
  fieldSize: 1024,
  fields: 20,
  files: 2,
  parts: 25,
  headerPairs: 50,
  headerSize: 16 * 1024,
} as const;

/** Boundaries, headers and the other fields, beside the bytes of the file. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

const FILE_NAME_MAX_CHARACTERS = 255;

export interface UploadParts {
  readonly folder: ImportFolder;
  /** Bytes of the file (setting `importacao.maximo`). */
  readonly maxBytes: number;
}

/** The request of an upload, its file safe on disk. Throws 400, 413, 415; then nothing of it is left. */
export async function receiveUpload(parts: UploadParts, request: Request): Promise<ImportRequest> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!contentType.toLowerCase().startsWith(MULTIPART)) throw unsupported(contentType, [MULTIPART]);
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > parts.maxBytes + FORM_OVERHEAD_BYTES) throw tooLarge(parts.maxBytes);

  const form = new ReceivedForm(parts);
  try {
    await form.read(contentType, request.body);
    return form.toRequest();
  } catch (error) {
    await form.discard();
    throw error;
  }
}

class ReceivedForm {
  readonly #parts: UploadParts;
  readonly #fields = new Map<string, string>();
  readonly #problems: Problem[] = [];
  #file: StoredFile | undefined;
  #fileName: string | undefined;
  #failure: unknown;

  constructor(parts: UploadParts) {
    this.#parts = parts;
  }

  async read(contentType: string, body: ReadableStream<Uint8Array> | null): Promise<void> {
    const busboy = openForm(contentType);
    const source = Readable.from(body ?? []);
    const streams: BusboyFileStream[] = [];
    const storing: Promise<void>[] = [];
    busboy.on('field', (name, value) => this.#takeField(name, value));
    busboy.on('file', (name, stream, fileName) => {
      streams.push(stream);
      const stored = this.#takeFile(name, stream, fileName).catch((error: unknown) => {
        this.#failure ??= error;
        source.destroy(); // there is no use in receiving the rest
      });
      storing.push(stored);
    });
    try {
      await pipeline(source, busboy);
    } catch (error) {
      this.#failure ??= unreadableForm(error);
      for (const stream of streams) stream.destroy();
    }
    await Promise.all(storing);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Throws 400 with every problem of the form. */
  toRequest(): ImportRequest {
    const fields: Record<string, unknown> = Object.fromEntries(this.#fields);
    if (this.#file !== undefined) fields['file'] = this.#fileName;
    const { value, problems } = decode(asSchema(ImportForm), fields);
    if (this.#fields.has('file') && this.#file === undefined)
      this.#problems.push(problem('file', 'file: recebido um texto; envie um arquivo .json ou .zip.'));
    const all = [...this.#problems, ...problems];
    if (all.length > 0 || this.#file === undefined) throw malformed(all);
    const { tipo, modo = 'lote', simular } = value as typeof ImportForm.static;
    return {
      tipo,
      modo,
      simular: simular === 'true',
      fileName: this.#fileName ?? '',
      storedFile: this.#file.name,
    };
  }

  async discard(): Promise<void> {
    if (this.#file !== undefined) await this.#parts.folder.remove(this.#file.name);
  }

  #takeField(name: string, value: string): void {
    if (this.#fields.has(name)) this.#problems.push(repeated(name));
    this.#fields.set(name, value);
  }

  async #takeFile(name: string, stream: BusboyFileStream, fileName: string | undefined): Promise<void> {
    if (name !== 'file' || this.#fileName !== undefined) {
      if (name === 'file') this.#problems.push(repeated(name));
      else this.#fields.set(name, fileName ?? ''); // the schema knows no such member and says so
      stream.resume();
      return;
    }
    this.#fileName = shownName(fileName);
    this.#file = await this.#parts.folder.create();
    await store(this.#file, stream, this.#parts.maxBytes);
  }
}

/** Writes a stream to stable storage. Throws 413 as soon as it is too long. */
async function store({ handle }: StoredFile, stream: BusboyFileStream, maxBytes: number): Promise<void> {
  try {
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } catch (error) {
    throw isOutOfSpace(error) ? noSpace(error) : error;
  } finally {
    await handle.close();
  }
}

function openForm(contentType: string) {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: FORM_LIMITS });
  } catch (error) {
    throw unreadableForm(error);
  }
}

function unreadableForm(error: unknown): DomainError {
  const message =
    'O corpo não é um formulário multipart/form-data completo; envie-o de novo, com os campos file e tipo.';
  return new DomainError('malformed', message, {
    problems: [{ code: MALFORMED_CODE, message, field: null, path: '' }],
    cause: error,
  });
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
  problem(name, `${name}: recebido mais de uma vez; informe uma só vez.`);

const problem = (name: string, message: string): Problem => ({
  code: MALFORMED_CODE,
  message,
  field: name,
  path: `/${name}`,
});

/** The name is stored and shown: never empty, storable, of a sane length. */
function shownName(fileName: string | undefined): string {
  const name = (fileName ?? '')
    .toWellFormed()
    .replaceAll('\0', '')
    .slice(0, FILE_NAME_MAX_CHARACTERS)
    .toWellFormed();
  return name === '' ? 'arquivo' : name;
}
