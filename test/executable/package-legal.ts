/**
 * The files that a package includes for licences: texts, the list of its parts, signatures, and the
 * objects of the LGPL.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { RUNTIME_LIBRARIES } from '../../scripts/packaging/runtime-libraries.ts';
import { builtExecutable, startCatp } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';

const NAME = 'catp-1.0.0-linux-x64';

interface Sbom {
  readonly components: readonly { readonly name: string; readonly version?: string }[];
}

function run(...words: readonly string[]): { exitCode: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words]);
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Tests the signature in the folder that `signedFolder` returns. The folder has the key in the file `chave`. */
export function testSignature(signedFolder: () => string): void {
  test('ssh-keygen verifies the signature of SHA256SUMS by the commands of the handbook, and refuses another list', () => {
    const folder = signedFolder();
    const [type, bytes] = readFileSync(join(folder, 'chave.pub'), 'utf8').split(' ');
    writeFileSync(join(folder, 'quem-assina'), `distribuidor ${type} ${bytes}\n`);
    const verify =
      'ssh-keygen -Y verify -f quem-assina -I distribuidor -n catp -s SHA256SUMS.sig < SHA256SUMS';
    expect(readFileSync(join(ROOT, 'src/docs/pages/atualizar.md'), 'utf8')).toContain(verify);
    const verified = run(
      'sh',
      '-c',
      `cd '${folder}' && ${verify} && sha256sum --check --ignore-missing SHA256SUMS`,
    );
    expect([verified.exitCode, verified.stdout]).toEqual([
      0,
      expect.stringContaining('Good "catp" signature'),
    ]);
    writeFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  catp.deb\n`);
    expect(run('sh', '-c', `cd '${folder}' && ${verify}`).exitCode).not.toBe(0);
  });
}

/**
 * Describes the tests. `pack` makes packages into a folder of that name and returns the folder; `archived`: the
 * folder with the archive.
 */
export function describeHandedOut(
  pack: (name: string, ...flags: readonly string[]) => string,
  archived: () => string,
): void {
  const inArchive = (file: string): string =>
    run('tar', 'xzOf', join(archived(), `${NAME}.tar.gz`), `${NAME}/${file}`).stdout;

  test('LICENCAS.txt has the text of every included licence, and catp licencas prints it', async () => {
    const licences = inArchive('LICENCAS.txt');
    const lowerCase = licences.toLowerCase();
    expect(run(await builtExecutable(), 'licencas')).toEqual({ exitCode: 0, stdout: licences, stderr: '' });
    const { components } = JSON.parse(inArchive('catp.cdx.json')) as Sbom;
    const unnamed = components
      .filter(({ name }) => !name.endsWith('(linux-x64)'))
      .filter(
        ({ name, version }) =>
          !lowerCase.includes(`\n${name} ${version ?? ''}`.toLowerCase()) &&
          !lowerCase.includes(`\n- ${name}`.toLowerCase()),
      );
    expect(unnamed.map(({ name }) => name)).toEqual([]);
    for (const part of [
      'All rights reserved',
      'GNU LIBRARY GENERAL PUBLIC LICENSE',
      'GNU LESSER GENERAL PUBLIC LICENSE\n',
      'Mozilla Public License Version 2.0',
      'TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION',
    ])
      expect([part, licences.includes(part)]).toEqual([part, true]);
  });

  test('the list of the libraries inside the runtime is complete', () => {
    const text = readFileSync(join(ROOT, 'node_modules/bun-types/docs/project/license.mdx'), 'utf8');
    const libraries = [...text.matchAll(/^\| (?:A fork of |Parts of )?\[`?([^`\]]+)`?\]/gm)].map(
      ([, name]) => name,
    );
    const included = new Set(RUNTIME_LIBRARIES.map(({ name }) => name));
    expect(libraries.length).toBeGreaterThan(40);
    expect(libraries.filter((name) => name === undefined || !included.has(name))).toEqual([]);
  });

  test('the list of parts is CycloneDX 1.6, with runtime, addon, SQLite and npm packages', async () => {
    const text = inArchive('catp.cdx.json');
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(text.replace('"library"', '"nada"'))).not.toBeNull();
    const { components } = JSON.parse(text) as Sbom;
    const named = (pattern: string): string | undefined =>
      components.find(({ name }) => name === pattern)?.version;
    expect([named('bun'), named('elysia'), named('node-addon-api')]).not.toContain(undefined);
    expect(components.filter(({ name }) => name === 'sqlite').map(({ version }) => version)).toContainEqual(
      expect.stringMatching(/^3\.\d+\.\d+$/),
    );
    const image = pack('imagem', '--oci');
    expect(run('sh', '-c', `cd '${image}' && sha256sum --check --strict SHA256SUMS`).exitCode).toBe(0);
  });

  describe('the objects of the runtime', () => {
    let packageFolder: string;
    beforeAll(() => {
      const folder = pack('objetos', '--objects');
      expect(run('tar', '-C', folder, '-xzf', join(folder, `${NAME}-objetos.tar.gz`)).exitCode).toBe(0);
      packageFolder = join(folder, `${NAME}-objetos`);
    });

    test('link with another build of the runtime to an executable that serves', async () => {
      // Replaces a text that only the help of the runtime has, not catp.
      const otherRuntime = join(packageFolder, '..', 'bun');
      const bytes = readFileSync(process.execPath).toString('latin1');
      const [mark, replacement] = ['fast JavaScript runtime', 'slow JavaScript runtime'];
      expect(bytes).toContain(mark);
      writeFileSync(otherRuntime, bytes.replaceAll(mark, replacement), { encoding: 'latin1', mode: 0o755 });
      const remade = join(packageFolder, '..', 'catp');
      const outcome = run(otherRuntime, join(packageFolder, 'refazer.js'), remade);
      expect([outcome.exitCode, outcome.stderr]).toEqual([0, '']);
      expect(readFileSync(remade, 'latin1')).toContain(replacement);
      const catp = await startCatp(['dev', '--port', '0'], { cwd: packageFolder, executable: remade });
      for (const path of ['/readyz', '/ajuda/imagens/painel.png', '/ajuda', '/openapi.json'])
        expect([path, (await fetch(`${catp.url}${path}`)).status]).toEqual([path, 200]);
      expect(await catp.stop()).toBe(0);
    });
  });
}
