/** Formats the report as JUnit XML for CI systems: one test case per rule. */
import { escaped } from '../../sheet/xlsx/write.ts';
import { type ConformityFinding, type ConformityReport, FIXES, RULE_NAMES } from './model.ts';

const SUITE = 'catp.conformidade';

export function junitOf({ findings }: ConformityReport): string {
  const findingOf = new Map<string, ConformityFinding>(findings.map((finding) => [finding.rule, finding]));
  const cases = RULE_NAMES.map((rule) => {
    const finding = findingOf.get(rule);
    const head = `  <testcase classname="${SUITE}" name="${rule}"`;
    return finding === undefined ? `${head}/>` : `${head}>\n${failureOf(finding)}\n  </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${SUITE}" tests="${RULE_NAMES.length}" failures="${findings.length}" errors="0" skipped="0">`,
    ...cases,
    '</testsuite>\n',
  ].join('\n');
}

function failureOf({
  rule,
  title,
  remedy,
  count,
  users,
  firstAt,
  lastAt,
  until,
  requests,
}: ConformityFinding) {
  const lines = [
    `Vezes: ${count}, de ${firstAt} a ${lastAt}`,
    ...(users.length === 0 ? [] : [`De: ${users.join(', ')}`]),
    ...(until === null ? [] : [`O bloqueio terminaria em ${until}`]),
    `Requisições do diário: ${requests.join(', ')}`,
    `Como consertar: ${FIXES[rule]}`,
    `Por quê, e o que o serviço público responde: ${remedy} de qualquer instância`,
  ];
  return `    <failure type="${rule}" message="${escaped(title)}">${escaped(lines.join('\n'))}</failure>`;
}
