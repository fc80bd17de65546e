/** The list of what a package contains: CycloneDX 1.6 as JSON, `catp.cdx.json` in every package. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { version as addonVersion } from 'better-sqlite3/package.json';
import { SECOND_MS } from '../../src/clock.ts';
import { embeddedPackages } from './embedded-packages.ts';
import { type LinkedLibrary, IMAGE_LIBRARIES, RUNTIME_LIBRARIES } from './runtime-libraries.ts';

/** Its name in every package. */
export const SBOM_FILE = 'catp.cdx.json';

export interface Inside {
  readonly target: string;
  readonly version: string;
  /** The addon inside the executable. */
  readonly addon: string;
  /** Time of the commit, in seconds since 1970. */
  readonly seconds: number;
  /** The version of glibc that the image of a container has. */
  readonly glibc?: string;
}

interface Component {
  readonly type: 'application' | 'library' | 'file' | 'platform';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly copyright?: string;
  readonly licenses: readonly ({ expression: string } | { license: { name: string } })[];
  readonly hashes?: readonly { alg: 'SHA-256'; content: string }[];
}

/** Defines SQLITE_VERSION. */
const SQLITE_HEADER = 'node_modules/better-sqlite3/deps/sqlite3/sqlite3.h';

export async function sbom({ target, version, addon, seconds, glibc }: Inside): Promise<string> {
  const product: Component = {
    type: 'application',
    'bom-ref': 'catp',
    name: 'catp',
    version,
    licenses: [{ license: { name: 'All rights reserved (LICENSE)' } }],
  };
  const runtime: Component = {
    type: 'platform',
    'bom-ref': 'bun',
    name: 'bun',
    version: Bun.version,
    purl: `pkg:github/oven-sh/bun@bun-v${Bun.version}`,
    licenses: [{ expression: 'MIT' }],
  };
  const linked = RUNTIME_LIBRARIES.map((one) => linkedLibrary(one, 'bun'));
  const sqlite: Component = {
    ...linkedLibrary({ name: 'sqlite', licence: 'blessing', copyright: 'public domain' }, 'addon'),
    version: sqliteVersion(),
    purl: `pkg:generic/sqlite@${sqliteVersion()}`,
  };
  const addonFile: Component = {
    type: 'file',
    'bom-ref': 'addon',
    name: `better_sqlite3.node (${target})`,
    version: addonVersion,
    licenses: [{ expression: 'MIT' }],
    hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(readFileSync(addon)).digest('hex') }],
  };
  const packages = (await embeddedPackages()).map(({ name, version: release, licence }): Component => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${release}`;
    return {
      type: 'library',
      'bom-ref': purl,
      name,
      version: release,
      purl,
      licenses: [{ expression: licence }],
    };
  });
  const system =
    glibc === undefined
      ? []
      : IMAGE_LIBRARIES.map((one) => ({ ...linkedLibrary(one, 'image'), version: glibc }));
  const refs = (components: readonly Component[]): readonly string[] =>
    components.map((one) => one['bom-ref']);
  const content = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: new Date(seconds * SECOND_MS).toISOString(), component: product },
    components: [runtime, ...linked, addonFile, sqlite, ...packages, ...system],
    dependencies: [
      { ref: 'catp', dependsOn: refs([runtime, addonFile, ...packages, ...system]) },
      { ref: 'bun', dependsOn: refs(linked) },
      { ref: 'addon', dependsOn: refs([sqlite]) },
    ],
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

const linkedLibrary = ({ name, licence, copyright }: LinkedLibrary, owner: string): Component => ({
  type: 'library',
  'bom-ref': `${owner}/${name}`,
  name,
  copyright,
  licenses: [{ expression: licence }],
});

function sqliteVersion(): string {
  const [, release] = /#define SQLITE_VERSION\s+"([\d.]+)"/.exec(readFileSync(SQLITE_HEADER, 'utf8')) ?? [];
  if (release === undefined) throw new Error(`${SQLITE_HEADER} names no version`);
  return release;
}
