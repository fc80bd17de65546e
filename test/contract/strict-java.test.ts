/**
 * Every answer, read strictly by classes that a standard generator creates from the document: Java, when
 * it is installed.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { ROOT } from '../support/sources.ts';
import { type Document, type JsonSchema, entriesOf } from './document.ts';
import { type Answer, collectedAnswers, eventsOf } from './strict/answers.ts';

setDefaultTimeout(300_000);

const GENERATOR = join(ROOT, '.tools/generators/bin/openapi-generator-cli');
const JARS = join(ROOT, '.tools/jackson');
const READERS = join(ROOT, 'test/contract/strict/java');
const hasJava =
  existsSync(GENERATOR) && existsSync(join(JARS, 'installed.xml')) && Bun.which('javac') !== null;
if (!hasJava)
  console.warn('ATENÇÃO: sem openapi-generator, Jackson ou JDK; as respostas NÃO foram lidas em Java.');
if (Bun.which('dotnet') === null)
  console.warn('ATENÇÃO: sem dotnet; as respostas NÃO foram lidas em C#, e nenhum teste o faz ainda.');

let home: string;
let document: Document;
let answers: readonly Answer[];
beforeAll(async () => {
  if (!hasJava) return;
  home = mkdtempSync(join(tmpdir(), 'catp-strict-'));
  ({ document, answers } = await collectedAnswers());
  await build();
});
afterAll(() => {
  if (hasJava) rmSync(home, { recursive: true, force: true });
});

async function run(words: readonly string[], input = ''): Promise<string> {
  const { code, out, err } = await toEnd(words, {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
    stdin: new Blob([input]),
  });
  expect([words[0], code, code === 0 ? '' : out + err]).toEqual([words[0], 0, '']);
  return out;
}

/** Builds as the page `clientes` says: the whole client, including unused parts. */
async function build(): Promise<void> {
  writeFileSync(join(home, 'catp.json'), JSON.stringify(document));
  const generatorFlags = ['generate', '-g', 'java', '--library', 'native', '-i', 'catp.json', '-o', 'made'];
  await run([GENERATOR, ...generatorFlags, '--global-property', 'modelTests=false,apiTests=false']);
  const sources = [join(home, 'made/src/main/java'), READERS].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.java'))
      .map((name) => join(folder, name)),
  );
  writeFileSync(join(home, 'sources'), sources.join('\n'));
  const compiled = ['-proc:none', '-nowarn', '-encoding', 'UTF-8', '-cp', `${JARS}/*`, '-d', 'classes'];
  await run(['javac', ...compiled, '@sources']);
}

interface Line {
  readonly name: string;
  readonly type: string;
  readonly body: unknown;
}

/** Removes the first member; for a list, of its first item. */
const less = (body: unknown): unknown =>
  Array.isArray(body) ? body.map(less) : Object.fromEntries(Object.entries(body as object).slice(1));

const read = async (lines: readonly Line[]): Promise<readonly string[]> => {
  const input = lines.map((one) => `${JSON.stringify(one)}\n`).join('');
  return (await run(['java', '-cp', `classes:${JARS}/*`, 'Reader'], input)).trim().split('\n');
};

const OWN = '#/components/schemas/';

/** Returns the Jackson class of a form; `undefined` without a named form. */
function classOf({ $ref, type, items }: JsonSchema): string {
  if ($ref !== undefined) return `org.openapitools.client.model.${$ref.slice(OWN.length)}`;
  if (type === 'array' && items !== undefined) return `java.util.List<${classOf(items)}>`;
  if (type === 'string') return 'java.lang.String';
  throw new Error(`What is the class of ${JSON.stringify({ type, items })}?`);
}

function lineOf({ operation, status, body }: Answer): Line {
  const responses = entriesOf(document).find(({ operationId }) => operationId === operation)?.responses;
  const content = responses?.[String(status)]?.content?.['application/json'];
  if (content === undefined) throw new Error(`${operation} ${status} is not in the document.`);
  return { name: `${operation} ${status}`, type: classOf(content.schema), body };
}

test.if(hasJava)(
  'each answer fits its class; one with a member more, less or of another type does not',
  async () => {
    expect(await read(answers.map(lineOf))).toEqual(['end']);
    const good = answers.find(({ operation, status }) => operation === 'includeProduct' && status === 200);
    if (good === undefined) throw new Error('No product was included.');
    const body = good.body as Record<string, unknown>;
    const { versao: _, ...less } = body;
    const others = [
      { codigo: '1' },
      { codigo: 1.5 },
      { versao: 1 },
      { versao: null },
      { codigo: 9_999_999_999 },
    ];
    const wrong = [{ ...body, more: 1 }, less, ...others.map((one) => ({ ...body, ...one }))];
    expect(await read(wrong.map((one) => lineOf({ ...good, body: one })))).toEqual([
      expect.stringContaining('Unrecognized field "more"'),
      'includeProduct 200 /versao is missing',
      expect.stringContaining('Cannot coerce String value ("1") to `java.lang.Long`'),
      expect.stringContaining('to `java.lang.Long`'),
      expect.stringContaining('to `java.lang.String`'),
      'includeProduct 200 /versao is null',
      'end', // a code of ten digits fits
    ]);
  },
);

test.if(hasJava)(
  'a sample of every event with a known form fits its class; one with a member more does not',
  async () => {
    const lines = eventsOf(document).map(({ evento, schema, sample }): Line => ({
      name: evento,
      type: classOf(schema),
      body: sample,
    }));
    expect(await read(lines)).toEqual(['end']);
    const wrong = lines.flatMap((line) =>
      Array.isArray(line.body) ? [] : [{ ...line, body: { ...(line.body as object), more: 1 } }],
    );
    const errors = await read([...wrong, ...lines.map((line) => ({ ...line, body: less(line.body) }))]);
    expect(errors.filter((one) => one.includes('Unrecognized field "more"'))).toHaveLength(wrong.length);
    expect(errors.filter((one) => one.endsWith(' is missing'))).toHaveLength(lines.length);
  },
);
