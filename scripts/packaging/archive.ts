/** Archives whose bytes depend on their content alone: sorted, dated by the commit, with a fixed owner. */
import { createWriteStream, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import { $ } from 'bun';
import { SECOND_MS } from '../../src/clock.ts';

export interface Archive {
  /** Its name is that of the folder in the archive. */
  readonly folder: string;
  readonly file: string;
  /** Modification time of every entry, in seconds since 1970. */
  readonly seconds: number;
}

interface Zip extends Archive {
  /** Prefix of all names; the name of the folder by default. */
  readonly under?: string;
}

export async function makeTar({ folder, file, seconds }: Archive): Promise<void> {
  const fixed = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--format=ustar',
    `--mtime=@${seconds}`,
  ];
  await $`tar -C ${dirname(folder)} ${fixed} -cf - ${basename(folder)} | gzip -6n > ${file}`;
}

export async function makeZip({ folder, file, seconds, under = `${basename(folder)}/` }: Zip): Promise<void> {
  const zip = new ZipArchive({ zlib: { level: 9 } });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  for (const name of names.filter((one) => statSync(join(folder, one)).isFile()))
    zip.append(readFileSync(join(folder, name)), {
      name: `${under}${name}`,
      date: new Date(seconds * SECOND_MS),
      mode: statSync(join(folder, name)).mode & 0o777,
    });
  void zip.finalize();
  await pipeline(zip, createWriteStream(file));
}
