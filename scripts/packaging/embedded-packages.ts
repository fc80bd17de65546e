/** The npm packages inside the executable: listed by bundling it, described by their own `package.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

export interface EmbeddedPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** The SPDX expression that the package declares. */
  readonly licence: string;
  readonly author?: string;
}

/** Compiled into SQLite's addon, where no bundler sees it. */
const COMPILED = ['node_modules/node-addon-api'];

/** Returns the packages, sorted by folder. */
export async function embeddedPackages(): Promise<readonly EmbeddedPackage[]> {
  const server = ['src/main.ts', ...new Glob('src/**/*.worker.ts').scanSync()];
  const inputs = [...(await inputsOf(server, 'bun')), ...(await inputsOf(['src/web/main.tsx'], 'browser'))];
  const folders = inputs.flatMap((path) => {
    const [folder] = /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    return folder === undefined ? [] : [folder];
  });
  if (folders.length === 0) throw new Error('no package is embedded: the list of inputs has another form');
  return [...new Set([...folders, ...COMPILED])].toSorted().map(packageIn);
}

/** Returns the paths of the modules of which the server's part of the executable contains something. */
export async function embeddedModules(): Promise<ReadonlySet<string>> {
  const { outputs = {} } = (await bundled(['src/main.ts'], 'bun')) ?? {};
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return new Set(inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])));
}

const inputsOf = async (entrypoints: string[], target: 'bun' | 'browser'): Promise<readonly string[]> =>
  Object.keys((await bundled(entrypoints, target))?.inputs ?? {});

async function bundled(entrypoints: string[], target: 'bun' | 'browser') {
  const { metafile } = await Bun.build({
    entrypoints,
    target,
    splitting: true,
    metafile: true,
    external: ['*.node'],
  });
  return metafile;
}

function packageIn(folder: string): EmbeddedPackage {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  if (typeof license !== 'string') throw new Error(`${folder} declares no licence`);
  const writer = typeof author === 'object' && author !== null && 'name' in author ? author.name : author;
  return {
    folder,
    name: String(name),
    version: String(version),
    licence: license,
    ...(typeof writer === 'string' ? { author: writer } : {}),
  };
}
