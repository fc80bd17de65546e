/** Reads the one JSON text of a table from an uploaded file, plain or in a zip. */
import type { Problem } from '../../../errors.ts';
import type { FileSource } from '../../../files/file-limits.ts';
import { oneJson } from '../../../files/one-json.ts';
import { notJson } from './table-file.ts';

export type UnpackedFile =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const EXPECTED =
  'a tabela pública de atributos por NCM em JSON ({"versao", "listaNcm", "detalhesAtributos"})';

/** `maxBytes`: limit of the unpacked JSON. */
export async function unpackTable(source: FileSource, maxBytes: number): Promise<UnpackedFile> {
  const json = await oneJson(source, maxBytes, EXPECTED);
  return json.ok ? json : { ok: false, problems: [notJson(json.reason)] };
}
