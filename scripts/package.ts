/**
 * Builds the release files: archives and packages, with the same bytes for the same commit
 * (`scripts/package`).
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { $ } from 'bun';
import { version } from '../package.json';
import { addonFor } from './packaging/addon.ts';
import { type Archive, makeTar, makeZip } from './packaging/archive.ts';
import type { Carried } from './packaging/carried.ts';
import { contentsOf } from './packaging/contents.ts';
import { makeDeb } from './packaging/deb.ts';
import { makeJar } from './packaging/maven.ts';
import { makeNpm } from './packaging/npm.ts';
import { makeObjects } from './packaging/objects.ts';
import { IMAGE_TARGET, glibcVersion, makeImage } from './packaging/oci.ts';
import { makeWheel } from './packaging/wheel.ts';

/** Each platform, with its Debian name. */
const TARGETS: Readonly<Record<string, { readonly debian?: string }>> = {
  'linux-x64': { debian: 'amd64' },
  'linux-arm64': { debian: 'arm64' },
  'darwin-x64': {},
  'darwin-arm64': {},
  'windows-x64': {},
};

process.chdir(dirname(import.meta.dir));
const values = flagsOrEnd();
/** Packages that contain the executable, each built only on request. */
const isCarried = [values.npm, values.wheel, values.maven, values.oci, values.objects].includes(true);
const targets = values.all ? Object.keys(TARGETS) : values.target;
const unknown = targets.filter((target) => !Object.hasOwn(TARGETS, target));
if (unknown.length > 0)
  misused(`alvo desconhecido: ${unknown.join(', ')}. Alvos: ${Object.keys(TARGETS).join(', ')}.`);

const strange = values.oci ? targets.find((target) => target !== IMAGE_TARGET) : undefined;
if (strange !== undefined)
  misused(
    `a imagem leva as bibliotecas desta máquina (${IMAGE_TARGET}); a de ${strange} se faz em uma dessas.`,
  );

if (values.sign !== undefined && !existsSync(values.sign))
  misused(`não há a chave ${values.sign}. --sign pede uma chave privada do OpenSSH (ssh-keygen -t ed25519).`);

const seconds = Number((await $`git log -1 --format=%ct`.text()).trim());
/** Grows with each commit: apt sees each build as an upgrade too. */
const revision = (await $`git rev-list --count HEAD`.text()).trim();
mkdirSync(values.to, { recursive: true });
const staging = join(values.to, `.package-${process.pid}`);
try {
  const files: string[] = [];
  for (const target of targets) files.push(...(await packageOf(target)));
  const sums = files.map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`,
  );
  const names = new Set(files.map((file) => basename(file)));
  writeFileSync(join(values.to, 'SHA256SUMS'), [...sumsOfOthers(names), ...sums].join(''));
  await sign(join(values.to, 'SHA256SUMS'));
  for (const sum of sums) console.log(sum.trimEnd());
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function flagsOrEnd() {
  try {
    return parseArgs({
      options: {
        all: { type: 'boolean' },
        target: { type: 'string', multiple: true, default: ['linux-x64'] },
        to: { type: 'string', default: 'dist' },
        npm: { type: 'boolean' },
        wheel: { type: 'boolean' },
        maven: { type: 'boolean' },
        oci: { type: 'boolean' },
        objects: { type: 'boolean' },
        // A private key of OpenSSH, which signs SHA256SUMS.
        sign: { type: 'string' },
        // A folder with JUnit's jars; scripts/package gives its path.
        junit: { type: 'string', default: '.tools/junit' },
      },
    }).values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(why: string): never {
  console.error(`package: ${why}`);
  process.exit(2);
}

/** Returns the checksum lines of an earlier run whose files still exist. */
function sumsOfOthers(names: ReadonlySet<string>): readonly string[] {
  const file = join(values.to, 'SHA256SUMS');
  if (!existsSync(file)) return [];
  return (readFileSync(file, 'utf8').match(/^.+\n/gm) ?? []).filter((line) => {
    const name = line.slice(line.indexOf('  ') + 2).trimEnd();
    return !names.has(name) && existsSync(join(values.to, name));
  });
}

/** Signs in the namespace `catp`. Without a key it only removes a signature that no longer matches. */
async function sign(sums: string): Promise<void> {
  rmSync(`${sums}.sig`, { force: true });
  if (values.sign !== undefined) await $`ssh-keygen -Y sign -n catp -f ${values.sign} ${sums}`.quiet();
}

/** Writes all files; leaves none of them when one fails. */
async function packageOf(target: string): Promise<readonly string[]> {
  const isWindows = target.startsWith('windows');
  const folder = join(staging, `catp-${version}-${target}`);
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, isWindows ? 'catp.exe' : 'catp');
  const addon = await addonFor(target);
  const ours = ['--addon', addon];
  await $`bun run scripts/build.ts --reproducible --force --target ${target} --outfile ${executable} ${ours}`;
  const glibc = values.oci ? await glibcVersion() : undefined;
  await contentsOf(folder, { target, version, addon, seconds, ...(glibc === undefined ? {} : { glibc }) });
  return moveToTarget(
    isCarried ? await carriersOf(target, executable, folder) : await archivesOf(target, folder),
  );
}

async function archivesOf(target: string, folder: string): Promise<readonly string[]> {
  const isWindows = target.startsWith('windows');
  const archive: Archive = { folder, file: `${folder}${isWindows ? '.zip' : '.tar.gz'}`, seconds };
  await (isWindows ? makeZip(archive) : makeTar(archive));
  const files = [archive.file];
  const architecture = TARGETS[target]?.debian;
  if (architecture !== undefined)
    files.push(await makeDeb({ folder, staging, architecture, version: `${version}-${revision}`, seconds }));
  return files;
}

/** Builds the packages that bring the executable to a test suite, and the container image. */
async function carriersOf(target: string, executable: string, folder: string): Promise<readonly string[]> {
  const carried: Carried = { executable, target, folder, seconds, version };
  return [
    ...(values.npm ? await makeNpm(carried, Object.keys(TARGETS)) : []),
    ...(values.wheel ? [await makeWheel(carried)] : []),
    ...(values.maven ? [await makeJar(carried, values.junit)] : []),
    ...(values.oci ? [await makeImage(carried)] : []),
    ...(values.objects ? [await makeObjects(carried, await addonFor(target))] : []),
  ];
}

function moveToTarget(built: readonly string[]): readonly string[] {
  return built.map((file) => {
    const place = join(values.to, basename(file));
    try {
      renameSync(file, place);
    } catch {
      cpSync(file, place); // another file system
    }
    return place;
  });
}
