/** Keeps the exports of a comparison as files in the imports folder. */
import type { ComparedFiles, ComparisonTotals } from './compare/model.ts';
import type { Comparison, KeptExports } from './model.ts';

/** Copies files from other places, because they may be deleted before something is fetched from them. */
export async function keepExports(
  { files: storedFiles }: Comparison,
  files: ComparedFiles,
  { last }: ComparisonTotals,
  pathOf: (storedFile: string) => string,
): Promise<KeptExports> {
  const { operadores, produtos } = storedFiles ?? {
    operadores: crypto.randomUUID(),
    produtos: crypto.randomUUID(),
  };
  if (storedFiles !== null) return { operadores, produtos, last };
  const copies = [
    [files.operadores, operadores],
    [files.produtos, produtos],
  ] as const;
  const { chmod, copyFile } = await import('node:fs/promises'); // late: few servers compare
  for (const [from, name] of copies) {
    const to = pathOf(name);
    await copyFile(from, to);
    await chmod(to, 0o600); // independent of the permissions of the source file
  }
  return { operadores, produtos, last };
}
