/**
 * npm packages: one with the API to start an instance, and one per platform that carries the executable. The
 * platform packages are optional peers of the first: packages of other platforms are in no lock file, and
 * `npm ci` would report them as missing.
 */
import { chmodSync, copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTar } from './archive.ts';
import type { Carried } from './carried.ts';
import { copyLegalFiles } from './contents.ts';

const SOURCES = 'scripts/packaging/npm';
const ABOUT = 'O catálogo de produtos do Portal Único em um executável, para testes e para servidores';

/** Builds the package of a platform, and the common one. */
export async function makeNpm(
  { executable, target, folder, seconds, version }: Carried,
  targets: readonly string[],
): Promise<readonly string[]> {
  const [os, cpu] = target.replace('windows', 'win32').split('-');
  const pack = async (name: string, manifest: object, fill: (inside: string) => void): Promise<string> => {
    const inside = join(folder, `npm-${name}`, 'package');
    mkdirSync(inside, { recursive: true });
    fill(inside);
    copyLegalFiles(folder, inside);
    const common = { name, version, description: ABOUT, license: 'SEE LICENSE IN LICENSE' };
    writeFileSync(join(inside, 'package.json'), `${JSON.stringify({ ...common, ...manifest }, null, 2)}\n`);
    const file = join(folder, `${name}-${version}.tgz`);
    await makeTar({ folder: inside, file, seconds });
    return file;
  };
  const carrying = await pack(`catp-${target}`, { os: [os], cpu: [cpu], preferUnplugged: true }, (inside) => {
    const place = join(inside, target.startsWith('windows') ? 'catp.exe' : 'catp');
    copyFileSync(executable, place);
    chmodSync(place, 0o755);
  });
  const starting = await pack(
    'catp',
    {
      type: 'module',
      bin: { catp: 'catp.mjs' },
      engines: { node: '>=20' },
      exports: {
        '.': {
          // Programs with their own module loader, such as Jest, accept no other form.
          require: { types: './index.d.cts', default: './index.cjs' },
          default: { types: './index.d.mts', default: './index.mjs' },
        },
        './node-test': { types: './node-test.d.mts', default: './node-test.mjs' },
      },
      peerDependencies: Object.fromEntries(targets.map((one) => [`catp-${one}`, version])),
      peerDependenciesMeta: Object.fromEntries(targets.map((one) => [`catp-${one}`, { optional: true }])),
    },
    (inside) => {
      cpSync(SOURCES, inside, { recursive: true });
      chmodSync(join(inside, 'catp.mjs'), 0o755);
    },
  );
  return [carrying, starting];
}
