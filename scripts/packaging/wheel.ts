/** A wheel for each platform, with the executable inside (PEP 427, 491; the tags of PEP 425 and 600). */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeZip } from './archive.ts';
import type { Carried } from './carried.ts';
import { copyLegalFiles } from './contents.ts';

const SOURCES = 'scripts/packaging/python';

/**
 * Platforms where it may be installed. Linux from glibc 2.28 on (contract section 23), macOS as Bun requires.
 */
const TAGS: Readonly<Record<string, string>> = {
  'linux-x64': 'manylinux_2_28_x86_64',
  'linux-arm64': 'manylinux_2_28_aarch64',
  'darwin-x64': 'macosx_13_0_x86_64',
  'darwin-arm64': 'macosx_13_0_arm64',
  'windows-x64': 'win_amd64',
};

export async function makeWheel({ executable, target, folder, seconds, version }: Carried): Promise<string> {
  const name = `catp-${version}-py3-none-${TAGS[target]}`;
  const inside = join(folder, name);
  const [bin, info] = [join(inside, 'catp', 'bin'), join(inside, `catp-${version}.dist-info`)];
  for (const path of [bin, info]) mkdirSync(path, { recursive: true });
  cpSync(SOURCES, inside, { recursive: true, filter: (path) => !path.includes('__pycache__') });
  const place = join(bin, target.startsWith('windows') ? 'catp.exe' : 'catp');
  copyFileSync(executable, place);
  chmodSync(place, 0o755);
  copyLegalFiles(folder, info);
  const write = (file: string, lines: readonly string[]): void =>
    writeFileSync(join(info, file), `${lines.join('\n')}\n`);
  write('METADATA', [
    ...['Metadata-Version: 2.1', 'Name: catp', `Version: ${version}`, 'Requires-Python: >=3.9'],
    'Summary: O catálogo de produtos do Portal Único em um executável, para testes e para servidores',
  ]);
  write('WHEEL', [
    'Wheel-Version: 1.0',
    'Generator: catp',
    'Root-Is-Purelib: false',
    `Tag: py3-none-${TAGS[target]}`,
  ]);
  write('entry_points.txt', [
    ...['[console_scripts]', 'catp = catp.__main__:main', ''],
    ...['[pytest11]', 'catp = catp.pytest_plugin'],
  ]);
  const record = `catp-${version}.dist-info/RECORD`;
  const files = readdirSync(inside, { recursive: true, encoding: 'utf8' }).toSorted();
  write('RECORD', [
    ...files.filter((file) => statSync(join(inside, file)).isFile()).map((file) => recorded(inside, file)),
    `${record},,`,
  ]);
  const file = join(folder, `${name}.whl`);
  await makeZip({ folder: inside, file, seconds, under: '' });
  return file;
}

function recorded(folder: string, file: string): string {
  const bytes = readFileSync(join(folder, file));
  return `${file},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`;
}
