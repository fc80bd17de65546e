/**
 * The archive from which a recipient can rebuild the executable with another build of the runtime, as the
 * LGPL of its libraries requires: all modules and files of the executable, and a script.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'bun';
import { makeTar } from './archive.ts';
import type { Carried } from './carried.ts';
import { copyLegalFiles } from './contents.ts';

export async function makeObjects(
  { target, folder, seconds, version }: Carried,
  addon: string,
): Promise<string> {
  const inside = join(folder, `catp-${version}-${target}-objetos`);
  const objects = join(inside, 'objetos');
  mkdirSync(objects, { recursive: true });
  await $`bun run scripts/build.ts --reproducible --target ${target} --objects ${objects} --addon ${addon}`;
  cpSync(join(import.meta.dir, 'objects'), inside, { recursive: true });
  copyLegalFiles(folder, inside);
  const file = `${inside}.tar.gz`;
  await makeTar({ folder: inside, file, seconds });
  return file;
}
