/**
 * An output file of a command: written completely or not at all. If it cannot be written, it is refused
 * before the work.
 */
import { rmSync } from 'node:fs';
import { type FileHandle, open as openFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { OperatorError } from '../errors.ts';
import { undoOnSignals } from './ending.ts';
import { reasonOf, systemCode } from '../system/errors.ts';

/** The content, or a function that yields it in pieces. */
type Content = Uint8Array | string | (() => AsyncIterable<Uint8Array | string>);

/**
 * Writes `content` to a file next to `file` and renames it at the end, so that no reader gets a partial file.
 * The target is opened before the first piece is requested. `flag` is the operator's name of the file.
 */
export async function writeCompleteFile(flag: string, file: string, content: Content): Promise<void> {
  const target = await targetOf(file).catch(refuse(flag, file));
  const handle = await openFile(target.path, 'w').catch(refuse(flag, file));
  const stopWatching = target.isPartial
    ? undoOnSignals(() => rmSync(target.path, { force: true }))
    : () => undefined;
  try {
    await writeAll(handle, flag, file, content);
    if (target.isPartial) await rename(target.path, target.final).catch(refuse(flag, file));
  } catch (error) {
    if (target.isPartial) await rm(target.path, { force: true });
    throw error;
  } finally {
    stopWatching();
  }
}

interface WriteTarget {
  readonly path: string;
  readonly final: string;
  readonly isPartial: boolean;
}

/**
 * Returns the path to write. A device or a pipe (`/dev/stdout`) is written directly: a rename would replace
 * it by a file.
 */
async function targetOf(file: string): Promise<WriteTarget> {
  const final = await realpath(file).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return file;
    throw error;
  });
  const status = await stat(final).catch(() => undefined);
  if (status?.isDirectory() === true) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
  if (status !== undefined && !status.isFile()) return { path: final, final, isPartial: false };
  return { path: `${final}.parcial`, final, isPartial: true };
}

async function writeAll(handle: FileHandle, flag: string, file: string, content: Content): Promise<void> {
  try {
    const pieces = typeof content === 'function' ? content() : [content];
    for await (const piece of pieces) await handle.writeFile(piece).catch(refuse(flag, file));
    // A pipe stores no data, so it cannot be synced.
    await handle.sync().catch((error: unknown) => {
      if (systemCode(error) !== 'EINVAL') refuse(flag, file)(error);
    });
  } finally {
    await handle.close();
  }
}

const refuse =
  (flag: string, file: string) =>
  (error: unknown): never => {
    if (systemCode(error) === undefined) throw error;
    throw new OperatorError(
      `${flag}: ${file} não pode ser gravado (${reasonOf(error)}). Indique outro arquivo, ou verifique a pasta e o disco.`,
      { cause: error },
    );
  };
