/**
 * npm packages: one with the way to start an instance, and one for each platform that carries the executable. To the first the
 * others are optional peers: those of platforms that nobody has installed stand in no lock file, which `npm ci` would miss.
 */
import { chmodSync, copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTar } from './archive.ts';
import type { Carried } from './carried.ts';

const SOURCES = 'scripts/packaging/npm';
const ABOUT = 'O catálogo de produtos do Portal Único em um executável, para testes e para servidores';

/** The one for a platform, and the one for all. */
export async function makeNpm(
  { executable, target, folder, seconds, version }: Carried,
  targets: readonly string[],
): Promise<readonly string[]> {
  const [os, cpu] = target.replace('windows', 'win32').split('-');
  const pack = async (name: string, manifest: object, fill: (inside: string) => void): Promise<string> => {
    const inside = join(folder, `npm-${name}`, 'package');
    mkdirSync(inside, { recursive: true });
    fill(inside);
    copyFileSync(join(folder, 'LICENCAS.txt'), join(inside, 'LICENCAS.txt'));
    const common = { name, version, description: ABOUT, license: 'UNLICENSED' };
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
          // What has its own way to load modules, as Jest, takes no other.
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
