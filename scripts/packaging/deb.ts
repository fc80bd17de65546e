/** The Debian package: its installation creates user, folder, unit and settings (`debian/`). */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { $ } from 'bun';
import { configTemplate } from '../../src/settings/config-template.ts';
import { unitText } from '../../src/service/unit.ts';
import { EXAMPLES, TWO_MACHINES } from './contents.ts';
import { SBOM_FILE } from './sbom.ts';

export interface Deb {
  /** The contents of the archive of this platform. */
  readonly folder: string;
  readonly staging: string;
  readonly architecture: string;
  readonly version: string;
  readonly seconds: number;
}

const SCRIPTS = join(import.meta.dir, 'debian');
const KIB = 1024;

/** Destinations of the files of the archive. */
const PLACES: readonly (readonly [from: string, to: string])[] = [
  ['catp', 'usr/bin/catp'],
  ['completions/catp.bash', 'usr/share/bash-completion/completions/catp'],
  ['completions/_catp', 'usr/share/zsh/vendor-completions/_catp'],
  ['completions/catp.fish', 'usr/share/fish/vendor_completions.d/catp.fish'],
  ['grafana/catp.json', 'usr/share/catp/grafana/catp.json'],
  ...readdirSync(TWO_MACHINES).map(
    (name) => [`duas-maquinas/${name}`, `usr/share/catp/duas-maquinas/${name}`] as const,
  ),
  ...readdirSync(EXAMPLES).map((name) => {
    const path = `exemplos/antes-e-depois/${name}`;
    return [path, `usr/share/doc/catp/${path}`] as const;
  }),
  ['LICENCAS.txt', 'usr/share/doc/catp/copyright'],
  ...['LICENSE', 'NOTICE', SBOM_FILE].map((name) => [name, `usr/share/doc/catp/${name}`] as const),
  ['LEIA-ME.md', 'usr/share/doc/catp/LEIA-ME.md'],
  ['CHANGELOG.md', 'usr/share/doc/catp/CHANGELOG.md'],
];

export async function makeDeb({ folder, staging, architecture, version, seconds }: Deb): Promise<string> {
  const root = join(staging, `deb-${architecture}`);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  for (const [from, to] of PLACES) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(join(folder, from), join(root, to));
  }
  write(
    'usr/lib/systemd/system/catp.service',
    unitText({ executable: '/usr/bin/catp', data: '/var/lib/catp', user: 'catp' }),
  );
  // No conffile: dpkg would prompt for an edited one at each upgrade, and stop without an answer. `postinst`
  // copies it once.
  // The content is that of the file that `catp init` writes.
  write('usr/share/doc/catp/catp.toml', configTemplate(new Map([['perfil', 'portal']])));
  const bytes = filesOf(root).reduce((sum, file) => sum + statSync(file).size, 0);
  cpSync(SCRIPTS, join(root, 'DEBIAN'), { recursive: true });
  write('DEBIAN/control', controlOf(version, architecture, Math.ceil(bytes / KIB)));
  settleModes(root);
  const file = join(staging, `catp_${version}_${architecture}.deb`);
  // One thread and gzip: multi-threaded xz cuts its blocks by the number of threads.
  await $`dpkg-deb --root-owner-group -Zgzip -z6 --build ${root} ${file}`
    .env({ ...process.env, SOURCE_DATE_EPOCH: String(seconds) })
    .quiet();
  rmSync(root, { recursive: true });
  return file;
}

const controlOf = (version: string, architecture: string, kib: number): string => `Package: catp
Version: ${version}
Architecture: ${architecture}
Maintainer: catp <catp@localhost>
Installed-Size: ${kib}
Depends: libc6 (>= 2.28), passwd, util-linux, init-system-helpers (>= 1.54)
Recommends: systemd
Section: net
Priority: optional
Description: Catálogo de Produtos do Portal Único Siscomex
 Produtos com versões e atributos por NCM, operadores estrangeiros, vínculos,
 importações, exportações e notificações, em um executável com SQLite embutido.
`;

function settleModes(root: string): void {
  for (const file of filesOf(root)) {
    const isProgram = /\/usr\/bin\/catp$|\/ate-o-fim$|\/DEBIAN\/(postinst|prerm|postrm)$/.test(file);
    chmodSync(file, isProgram ? 0o755 : 0o644);
  }
  for (const name of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
    if (statSync(join(root, name)).isDirectory()) chmodSync(join(root, name), 0o755);
}

const filesOf = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile());
