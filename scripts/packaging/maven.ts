/**
 * A jar for each platform: the API to start an instance, JUnit's extension, and the executable, which the jar
 * also runs.
 */
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'bun';
import { makeZip } from './archive.ts';
import type { Carried } from './carried.ts';
import { copyLegalFiles } from './contents.ts';

const SOURCES = 'scripts/packaging/java';
const CLASSES = ['Carried', 'Catp', 'CatpExtension', 'Main'].map((name) =>
  join(SOURCES, 'catp', `${name}.java`),
);
/** Java 17 added `errorReader` and `inputReader` of a process. */
const JAVA_RELEASE = 17;

/** Characters of the hash in the name of the unpacked executable. */
const HASH_LENGTH = 16;

/** Compiles the jar. `library`: a folder with JUnit's jars for the class path. */
export async function makeJar(carried: Carried, library: string): Promise<string> {
  const { executable, target, folder, seconds, version } = carried;
  const inside = join(folder, 'jar');
  const [bin, meta] = [join(inside, 'catp', 'bin', target), join(inside, 'META-INF')];
  const maven = join(meta, 'maven', 'catp', 'catp');
  for (const path of [bin, maven]) mkdirSync(path, { recursive: true });
  await $`javac --release ${JAVA_RELEASE} -encoding UTF-8 -Xlint:all -Werror -cp ${join(library, '*')} -d ${inside} ${CLASSES}`;
  const place = join(bin, target.startsWith('windows') ? 'catp.exe' : 'catp');
  copyFileSync(executable, place);
  chmodSync(place, 0o755);
  const hash = createHash('sha256').update(readFileSync(executable)).digest('hex');
  writeFileSync(join(bin, 'name'), `${version}-${hash.slice(0, HASH_LENGTH)}`);
  copyLegalFiles(folder, meta);
  writeFileSync(
    join(meta, 'MANIFEST.MF'),
    'Manifest-Version: 1.0\nAutomatic-Module-Name: catp\nMain-Class: catp.Main\n',
  );
  const pom = readFileSync(join(SOURCES, 'pom.xml'), 'utf8');
  writeFileSync(join(maven, 'pom.xml'), pom.replace('<version>1.0.0<', `<version>${version}<`));
  const file = join(folder, `catp-${version}-${target}.jar`);
  await makeZip({ folder: inside, file, seconds, under: '' });
  return file;
}
