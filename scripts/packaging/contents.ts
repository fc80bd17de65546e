/** Files that are delivered with the executable on every platform. */
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'bun';
import { unitText } from '../../src/service/unit.ts';
import { licences } from './licences.ts';
import { type Inside, SBOM_FILE, sbom } from './sbom.ts';

/** Each shell, with the file name that it expects. */
const COMPLETIONS = { bash: 'catp.bash', zsh: '_catp', fish: 'catp.fish', powershell: 'catp.ps1' } as const;

/** Units and settings of both machines, and of the proxy in front of them (contract section 26). */
export const TWO_MACHINES = join(import.meta.dir, 'duas-maquinas');

/** Programs that the page `antes-e-depois` describes; it prints one language only. */
export const EXAMPLES = join(import.meta.dir, '../examples/antes-e-depois');

/** The terms and the list of parts that every package contains. */
const LEGAL_FILES = ['LICENSE', 'NOTICE', 'LICENCAS.txt', SBOM_FILE] as const;

/** Copies them from the folder of the archive. */
export function copyLegalFiles(folder: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of LEGAL_FILES) copyFileSync(join(folder, name), join(to, name));
}

export async function contentsOf(folder: string, inside: Inside): Promise<void> {
  const { target } = inside;
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const name of ['completions', 'grafana']) mkdirSync(join(folder, name));
  for (const [shell, name] of Object.entries(COMPLETIONS))
    write(join('completions', name), await $`bun run src/main.ts completion ${shell}`.text());
  if (target.startsWith('linux')) {
    write(
      'catp.service',
      unitText({ executable: '/usr/local/bin/catp', data: '/var/lib/catp', user: 'catp' }),
    );
    cpSync(TWO_MACHINES, join(folder, 'duas-maquinas'), { recursive: true });
  }
  cpSync(EXAMPLES, join(folder, 'exemplos', 'antes-e-depois'), { recursive: true });
  copyFileSync('scripts/grafana/catp.json', join(folder, 'grafana', 'catp.json'));
  copyFileSync('scripts/packaging/LEIA-ME.md', join(folder, 'LEIA-ME.md'));
  copyFileSync('CHANGELOG.md', join(folder, 'CHANGELOG.md'));
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(name, join(folder, name));
  write('LICENCAS.txt', await licences());
  write(SBOM_FILE, await sbom(inside));
  settleModes(folder);
}

/** Sets fixed modes, independent of the umask of the build. */
function settleModes(folder: string): void {
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const path = join(folder, name);
    chmodSync(path, statSync(path).isDirectory() || /^catp(\.exe)?$|\/ate-o-fim$/.test(name) ? 0o755 : 0o644);
  }
}
