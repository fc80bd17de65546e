/** The full licence texts of everything in a package: `LICENCAS.txt`, which `catp licencas` prints. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedPackages } from './embedded-packages.ts';
import {
  type LinkedLibrary,
  IMAGE_LIBRARIES,
  OTHER_LIBRARIES,
  RUNTIME_LIBRARIES,
} from './runtime-libraries.ts';
import { spdxIds, spdxText } from './spdx.ts';

const LINE = '='.repeat(100);

export async function licences(): Promise<string> {
  const packages = await embeddedPackages();
  const withoutText = packages.filter(({ folder }) => licenceFiles(folder).length === 0);
  const libraries = [
    { name: `Bun ${Bun.version}`, licence: 'MIT', copyright: 'Jarred Sumner, Oven and contributors' },
    ...RUNTIME_LIBRARIES,
    ...OTHER_LIBRARIES,
    ...IMAGE_LIBRARIES.map((one) => ({ ...one, name: `${one.name} (só na imagem de contêiner)` })),
    ...withoutText.map(({ name, version, licence, author = 'the authors of the package' }) => ({
      name: `${name} ${version}`,
      licence,
      copyright: author,
    })),
  ];
  const ids = [...new Set(libraries.flatMap(({ licence }) => spdxIds(licence)))].toSorted();
  return (
    [
      readFileSync('LICENSE', 'utf8').trim(),
      readFileSync('NOTICE', 'utf8').trim(),
      `Partes cujo texto de licença vem abaixo, pelo nome da licença:\n\n${libraries.map(lineOf).join('\n')}`,
      ...ids.map((id) => `${id}\n\n${spdxText(id)}`),
      ...packages.filter((one) => !withoutText.includes(one)).map(sectionOf),
    ].join(`\n\n${LINE}\n\n`) + '\n'
  );
}

const lineOf = ({ name, licence, copyright }: LinkedLibrary): string =>
  `- ${name}: ${licence}. Copyright (c) ${copyright}`;

const licenceFiles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .toSorted();

function sectionOf({
  folder,
  name,
  version,
  licence,
}: {
  folder: string;
  name: string;
  version: string;
  licence: string;
}): string {
  const texts = licenceFiles(folder).map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${licence})`, ...texts].join('\n\n');
}
