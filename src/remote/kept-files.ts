/** The exports of a comparison that are kept, as files of the folder of imports. */
import { promises as fs } from 'node:fs';
import type { ComparedFiles, Counted } from './compare/model.ts';
import type { Comparison, KeptExports } from './model.ts';

/** Files anywhere are copied: they may be gone when something of them is fetched. */
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
    await fs.chmod(to, 0o600); // whatever the file of its sender lets others do
  }
  return { operadores, produtos, last };
}
