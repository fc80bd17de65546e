/** Keeps the exports of a comparison as files in the imports folder. */
import { promises as fs } from 'node:fs';
import type { ComparedFiles, Counted } from './compare/model.ts';
import type { Comparison, KeptExports } from './model.ts';

/** Copies files from other places, because they may be deleted before something is fetched from them. */
export async function keptOf(
  { files: own }: Comparison,
  files: ComparedFiles,
  { last }: Counted,
  pathOf: (storedFile: string) => string,
): Promise<KeptExports> {
  const { operadores, produtos } = own ?? {
    operadores: crypto.randomUUID(),
    produtos: crypto.randomUUID(),
  };
  if (own !== null) return { operadores, produtos, last };
  const copies = [
    [files.operadores, operadores],
    [files.produtos, produtos],
  ] as const;
  for (const [from, name] of copies) {
    const to = pathOf(name);
    await fs.copyFile(from, to);
    await fs.chmod(to, 0o600); // independent of the permissions of the source file
  }
  return { operadores, produtos, last };
}
