/** Sentences are for people: no page parses the words of one. A page receives its data as members. */
import { expect, test } from 'bun:test';
import { type Node, parse } from 'acorn';
import { sourcesUnder } from '../support/sources.ts';

/** Members that contain sentences for people. */
const SENTENCES = new Set(['message', 'description', 'descricao', 'reason', 'motivo', 'motivoExclusao']);
const READERS = new Set([
  ...['test', 'exec', 'match', 'matchAll', 'search', 'includes', 'startsWith', 'endsWith'],
  ...['indexOf', 'lastIndexOf', 'split', 'slice', 'substring', 'replace', 'replaceAll', 'charAt'],
]);

// oxlint-disable-next-line typescript/no-explicit-any -- nodes are distinguished by the names of their kinds
type Any = any;

const transpilers = {
  ts: new Bun.Transpiler({ loader: 'ts', target: 'browser' }),
  tsx: new Bun.Transpiler({ loader: 'tsx', target: 'browser' }),
} as const;

/** Returns the places in which a sentence is searched, cut or compared with words. */
function readingsIn(text: string, path = '.tsx'): readonly string[] {
  const code = transpilers[path.endsWith('x') ? 'tsx' : 'ts'].transformSync(text);
  const parsings: string[] = [];
  const isSentence = (node: Any): boolean =>
    node?.type === 'Identifier'
      ? SENTENCES.has(node.name)
      : node?.type === 'MemberExpression'
        ? SENTENCES.has(node.property.name)
        : node?.type === 'ChainExpression' && isSentence(node.expression);
  const isWords = (node: Any): boolean =>
    (node?.type === 'Literal' && typeof node.value === 'string' && node.value !== '') ||
    node?.type === 'TemplateLiteral';
  const visit = (node: Any): void => {
    const isReading =
      node.type === 'CallExpression' && READERS.has(node.callee.property?.name)
        ? [node.callee.object, ...node.arguments].some(isSentence)
        : node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator)
          ? (isSentence(node.left) && isWords(node.right)) || (isSentence(node.right) && isWords(node.left))
          : node.type === 'SwitchStatement' && isSentence(node.discriminant);
    if (isReading) parsings.push(code.slice(node.start, node.end).split('\n', 1)[0] ?? '');
    for (const child of Object.values(node).flat())
      if (typeof (child as Node | null)?.type === 'string') visit(child);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));
  return parsings;
}

test('no page parses a sentence', async () => {
  const pages = await sourcesUnder('src/web');
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.flatMap(({ path, text }) => readingsIn(text, path).map((one) => `${path}: ${one}`))).toEqual(
    [],
  );
});

test.each([
  ["if (problem.message.includes('obrigatório')) mend();", 1],
  ['const code = /Código: (\\d+)/.exec(problem?.message)?.[1];', 1],
  ["const isOld = reason === 'muito velho';", 1],
  ["switch (attempt.description) { case 'x': break; }", 1],
  ["const further = problems.filter((problem) => problem.message !== message && descricao !== '');", 0],
  ['const line = <p>{message} {code.slice(1)}</p>;', 0],
])('and this test detects it: %s', (text, count) => {
  expect(readingsIn(text)).toHaveLength(count);
});
