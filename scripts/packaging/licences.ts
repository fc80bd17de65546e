/**
 * The licences of all packages in the executable: listed by bundling it, read from the packages themselves.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

/** The runtime is in every executable; its licence is next to its types. */
const RUNTIME_LICENCE = 'node_modules/bun-types/docs/project/license.mdx';
const LINE = '='.repeat(100);

export async function licences(): Promise<string> {
  const sections = (await embeddedPackages()).map(sectionOf);
  const runtime = `Bun ${Bun.version} (MIT; JavaScriptCore: LGPL-2)\n\n${readFileSync(RUNTIME_LICENCE, 'utf8').trim()}`;
  return (
    [
      `O executável catp contém o que segue, cada parte sob a sua licença. SQLite, em better-sqlite3, é de domínio público.`,
      runtime,
      ...sections,
    ].join(`\n\n${LINE}\n\n`) + '\n'
  );
}

/** Returns folders under node_modules, sorted. */
async function embeddedPackages(): Promise<readonly string[]> {
  const server = ['src/main.ts', ...new Glob('src/**/*.worker.ts').scanSync()];
  const inputs = [...(await inputsOf(server, 'bun')), ...(await inputsOf(['src/web/main.tsx'], 'browser'))];
  const folders = inputs.flatMap((path) => {
    const [folder] = /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    return folder === undefined ? [] : [folder];
  });
  if (folders.length === 0) throw new Error('no package is embedded: the list of inputs has another form');
  return [...new Set(folders)].toSorted();
}

async function inputsOf(entrypoints: string[], target: 'bun' | 'browser'): Promise<readonly string[]> {
  const { metafile } = await Bun.build({
    entrypoints,
    target,
    splitting: true,
    metafile: true,
    external: ['*.node'],
  });
  return Object.keys(metafile?.inputs ?? {});
}

/**
 * Returns the licence files of a package; without one, the licence, author and repository of its
 * package.json.
 */
function sectionOf(folder: string): string {
  const { name, version, license, author, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .toSorted();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0)
    texts.push(
      `Sem arquivo de licença no pacote. Declarado nele: ${JSON.stringify({ license, author, repository })}`,
    );
  return [`${String(name)} ${String(version)} (${String(license)})`, ...texts].join('\n\n');
}
