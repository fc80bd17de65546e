/** Reads the one JSON text of a file, plain or in a zip. */
import { FILE_LIMITS, type FileSource } from './file-limits.ts';
import { jsonMembers } from './json-members.ts';
import { lookAlike } from './look-alike.ts';
import { UnreadableFile } from './unreadable-file.ts';

export type OneJson =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** Portuguese. */
  | { readonly ok: false; readonly reason: string };

/**
 * `maxBytes`: limit for the unpacked JSON. `expected`: the expected content of the file, in Portuguese, with
 * its article.
 */
export async function oneJson(source: FileSource, maxBytes: number, expected: string): Promise<OneJson> {
  const other = await lookAlike(source);
  if (other !== undefined)
    return refused(`o arquivo parece ${other}; é esperada ${expected}, ou um zip com esse arquivo .json.`);
  try {
    let content: Uint8Array | undefined;
    for await (const { chunks } of jsonMembers(source, { ...FILE_LIMITS, maxBytes, takesAnyName: true })) {
      if (content !== undefined)
        return refused('o zip tem mais de um arquivo .json; deixe nele só o que se quer carregar.');
      content = await joined(chunks);
    }
    return { ok: true, bytes: content ?? new Uint8Array() };
  } catch (failure) {
    if (failure instanceof UnreadableFile) return refused(failure.message);
    throw failure;
  }
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}

const refused = (reason: string): OneJson => ({ ok: false, reason });
