/**
 * Reads the JSON members of a zip. A separate module, loaded with the first zip, because loading the zip
 * library costs 10 ms of a start.
 */
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { fromBufferPromise, openPromise, type Entry, type ZipFile } from 'yauzl';
import { isSheetName } from '../validation/sheet-name.ts';
import { formatValue } from '../validation/format-value.ts';
import {
  type FileLimits,
  type FileSource,
  type ItemPlace,
  type JsonMember,
  READ_BYTES,
  tooLarge,
} from './file-limits.ts';
import { UnreadableFile, bytesText } from './unreadable-file.ts';

/**
 * Yields the members by the zip's directory at its end, without a search for signatures: a streamed zip such
 * as our own exports has its sizes only in the directory, and its compressed bytes may look like any
 * signature.
 */
export async function* zipMembers(
  source: FileSource,
  limits: FileLimits,
  behind?: Pick<ItemPlace, 'member' | 'end'>,
): AsyncGenerator<JsonMember, void, undefined> {
  using zip = await openZip(source);
  const { members } = await requireEntries(zip, limits);
  refuseBomb(members, limits);
  const isOneOfMany = members.length > 1;
  for (const [number, member] of members.entries()) {
    if (number < (behind?.member ?? 0)) continue;
    const skipped = number === behind?.member ? behind.end : 0;
    const chunks = withoutFirst(skipped, unpacked(zip, member));
    yield { number, name: nameOf(member), isOneOfMany, chunks };
  }
}

/** Opens a zip. Throws its format errors, or the machine's own failure. */
export async function openZip(source: FileSource): Promise<ZipFile & Disposable> {
  const options = { autoClose: false, decodeStrings: false }; // names are only compared and shown, never a path
  try {
    const zip = await (typeof source === 'string'
      ? openPromise(source, options)
      : fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.length), options));
    return Object.assign(zip, { [Symbol.dispose]: () => zip.close() });
  } catch (failure) {
    throw readingError(failure);
  }
}

/**
 * Yields the entries of the directory. Throws `UnreadableFile` when they have more packed bytes than the file:
 * members that overlap would be unpacked from the same bytes again and again.
 */
export async function* entriesIn(zip: ZipFile): AsyncGenerator<Entry, void, undefined> {
  let packed = 0;
  for await (const entry of zip.eachEntry()) {
    packed += entry.compressedSize;
    if (packed > zip.fileSize)
      throw corrupt(
        `os membros têm mais bytes comprimidos do que o arquivo inteiro (${bytesText(zip.fileSize)})`,
      );
    yield entry;
  }
}

export interface PackedMember {
  readonly name: string;
  readonly isSheet: boolean;
  /** Unpacks the member. Read it to its end before the next one. */
  readonly unpack: () => AsyncGenerator<Uint8Array, void, undefined>;
}

export interface PackedMembers extends Disposable {
  /** JSON texts and spreadsheets, in the order of the zip. */
  readonly members: readonly PackedMember[];
  /** Names of all other files. */
  readonly others: readonly string[];
}

/** Opens a zip of JSON texts and spreadsheets. Throws `UnreadableFile`. */
export async function packedMembers(source: FileSource, limits: FileLimits): Promise<PackedMembers> {
  const zip = await openZip(source);
  try {
    const { members, others } = await entriesOf(zip, limits);
    const isSheet = (entry: Entry): boolean => isSheetName(nameOf(entry));
    const importedEntries = [...members, ...others.filter(isSheet)];
    if (others.some(isSheet)) refuseBomb(importedEntries, limits);
    return {
      members: importedEntries.map((entry) => ({
        name: nameOf(entry),
        isSheet: isSheet(entry),
        unpack: () => unpacked(zip, entry),
      })),
      others: others.filter((entry) => !isSheet(entry)).map(nameOf),
      [Symbol.dispose]: () => zip.close(),
    };
  } catch (failure) {
    zip.close();
    throw failure;
  }
}

/** Returns the names of the members that are no JSON and are skipped. */
export async function otherZipMembers(source: FileSource, limits: FileLimits): Promise<readonly string[]> {
  using zip = await openZip(source);
  return (await requireEntries(zip, limits)).others.map(nameOf);
}

interface ZipEntries {
  readonly members: readonly Entry[];
  readonly others: readonly Entry[];
}

async function entriesOf(zip: ZipFile, limits: FileLimits): Promise<ZipEntries> {
  if (zip.entryCount > limits.maxMembers) {
    const message = `O zip tem ${zip.entryCount} arquivos; são aceitos até ${limits.maxMembers}.`;
    throw new UnreadableFile('tooManyMembers', message);
  }
  const members: Entry[] = [];
  const others: Entry[] = [];
  try {
    for await (const entry of entriesIn(zip))
      if (isJson(nameOf(entry)) || (limits.takesEveryName === true && isFile(nameOf(entry))))
        members.push(entry);
      else if (isFile(nameOf(entry))) others.push(entry);
  } catch (failure) {
    throw readingError(failure);
  }
  return { members, others };
}

async function requireEntries(zip: ZipFile, limits: FileLimits): Promise<ZipEntries> {
  const { members, others } = await entriesOf(zip, limits);
  if (members.length === 0 && others.length === 1 && limits.takesAnyName === true)
    return { members: others, others: [] };
  if (members.length === 0) {
    throw new UnreadableFile(
      'noJsonMember',
      `O zip não tem nenhum arquivo .json; ${others.length === 0 ? 'está vazio' : `tem ${listedNames(others)}`}. Ponha nele um array JSON de registros.`,
    );
  }
  return { members, others };
}

const NAMES_LISTED = 10;

/** Names the first members of a zip, and counts the others. */
function listedNames(entries: readonly Entry[]): string {
  const named = entries.slice(0, NAMES_LISTED).map((entry) => formatValue(nameOf(entry)));
  const more = entries.length - named.length;
  return named.join(', ') + (more > 0 ? ` e mais ${more}` : '');
}

/** Characters of a member's name that are kept and shown, as long as a file system takes them. */
const MAX_NAME = 255;

/** Returns the name of a member; the end of one that is too long, since a zip may have 64 KiB there. */
export function nameOf(entry: Entry): string {
  // With `decodeStrings: false` the name is bytes, whatever the type says.
  const name = (entry.fileName as unknown as Buffer).toString('utf8');
  return name.length > MAX_NAME ? `…${name.slice(1 - MAX_NAME)}` : name;
}

const isFile = (name: string): boolean => !name.endsWith('/') && !isMacCompanion(name);

/** Recognises the file `__MACOSX/…/._NAME.json`, which macOS adds for each file and which is no JSON. */
const isMacCompanion = (name: string): boolean => /(^|\/)\._[^/]*$/.test(name);

const isJson = (name: string): boolean => /\.json$/i.test(name) && !isMacCompanion(name);

/**
 * Refuses zip bombs by the figures of the directory, before unpacking. `unpacked` enforces these figures for
 * each member.
 */
function refuseBomb(members: readonly Entry[], limits: FileLimits): void {
  const total = members.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (total > limits.maxBytes) throw tooLarge(total, limits, 'zipBomb');
  for (const member of members) {
    const isBomb = member.uncompressedSize > limits.maxRatio * member.compressedSize;
    if (!isBomb) continue;
    const sizes = `${bytesText(member.compressedSize)} viram ${bytesText(member.uncompressedSize)}`;
    const message = `${formatValue(nameOf(member))}: compressão de mais de 1:${limits.maxRatio} (${sizes}); parece uma bomba zip.`;
    throw new UnreadableFile('zipBomb', message);
  }
}

const STORED = 0;
const DEFLATED = 8;

/** Yields a member's content. Enforces the size and checksum of the directory. */
export async function* unpacked(zip: ZipFile, member: Entry): AsyncGenerator<Uint8Array, void, undefined> {
  const name = formatValue(nameOf(member));
  if (member.isEncrypted()) throw encrypted(name);
  const method = member.compressionMethod;
  if (method !== STORED && method !== DEFLATED) {
    const message = `${name}: método de compressão ${method}; são aceitos 0 (armazenado) e 8 (deflate).`;
    throw new UnreadableFile('unsupportedMethod', message);
  }
  let size = 0;
  let checksum = 0;
  const source = await rawBytes(zip, member);
  const content = method === STORED ? source : inflated(source);
  try {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > member.uncompressedSize) break;
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (failure) {
    throw readingError(failure, name);
  } finally {
    content.destroy();
    source.destroy();
  }
  if (size !== member.uncompressedSize)
    throw corrupt(`${name}: o tamanho não confere com o diretório do zip`);
  if (checksum !== member.crc32) throw corrupt(`${name}: o CRC-32 não confere`);
}

/** Skips the part that was read before: a member can be unpacked only from its start. */
async function* withoutFirst(
  count: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let remaining = count;
  for await (const chunk of chunks) {
    if (remaining < chunk.length) yield remaining === 0 ? chunk : chunk.subarray(remaining);
    remaining = Math.max(0, remaining - chunk.length);
  }
}

async function rawBytes(zip: ZipFile, member: Entry): Promise<Readable> {
  try {
    return await zip.openReadStreamPromise(member, { decodeFileData: false });
  } catch (failure) {
    throw readingError(failure);
  }
}

function inflated(source: Readable): Readable {
  const inflate = createInflateRaw({ chunkSize: READ_BYTES });
  pipeline(source, inflate, () => undefined); // `inflate` ends with any error
  return inflate;
}

const encrypted = (name: string): UnreadableFile =>
  new UnreadableFile('encrypted', `${name}: o zip está protegido por senha; envie-o sem senha.`);

const corrupt = (what: string, cause?: unknown): UnreadableFile =>
  new UnreadableFile('corrupt', `Zip corrompido: ${what}; gere o arquivo de novo.`, undefined, cause);

/**
 * Converts an error: errors of yauzl and zlib about the content are refusals, those of the machine are its
 * own failures.
 */
function readingError(failure: unknown, name?: string): unknown {
  if (failure instanceof UnreadableFile || !(failure instanceof Error)) return failure;
  const isOfTheMachine = 'syscall' in failure;
  if (isOfTheMachine) return failure;
  if (/encryption/.test(failure.message)) return encrypted(name ?? 'O arquivo');
  const what =
    name === undefined ? 'a estrutura do arquivo não é a de um zip inteiro' : `${name} não descompacta`;
  return corrupt(what, failure);
}
