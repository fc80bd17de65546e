/** The one JSON text in a file that was handed in, as it is or in a zip. */
import type { Problem } from '../../../errors.ts';
import { UnreadableFile } from '../../../files/unreadable-file.ts';
import { FILE_LIMITS, type FileSource } from '../../../files/file-limits.ts';
import { jsonMembers } from '../../../files/json-members.ts';
import { lookAlike } from '../../../files/look-alike.ts';
import { TABLE_CODES } from '../words/codes.ts';

export type UnpackedFile =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** `maxBytes`: of the JSON, unpacked. */
export async function unpacked(source: FileSource, maxBytes: number): Promise<UnpackedFile> {
  const other = await lookAlike(source);
  if (other !== undefined)
    return refused(
      `o arquivo parece ${other}; é esperada a tabela pública de atributos por NCM em JSON ({"versao", "listaNcm", "detalhesAtributos"}), ou um zip com esse arquivo .json.`,
    );
  try {
    let found: Uint8Array | undefined;
    for await (const { chunks } of jsonMembers(source, { ...FILE_LIMITS, maxBytes })) {
      if (found !== undefined)
        return refused('o zip tem mais de um arquivo .json; deixe nele só o da tabela de atributos.');
      found = await joined(chunks);
    }
    return { ok: true, bytes: found ?? new Uint8Array() };
  } catch (failure) {
    if (failure instanceof UnreadableFile) return refused(failure.message);
    throw failure;
  }
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}

const refused = (reason: string): UnpackedFile => ({
  ok: false,
  problems: [
    {
      code: TABLE_CODES.notJson.code,
      message: `Tabela de atributos: ${reason}`,
      field: null,
      path: null,
    },
  ],
});
