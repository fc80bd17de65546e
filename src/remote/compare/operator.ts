/** Compares foreign operators by content, country and situation. */
import { iterateOperators } from '../../catalogue/foreign-operator/list-query.ts';
import { operatorMembers } from '../../catalogue/foreign-operator/members.ts';
import { type PrintedOperator, columnsOf, contentOf } from '../../catalogue/foreign-operator/record.ts';
import { OperatorStore } from '../../catalogue/foreign-operator/store.ts';
import { OPERATOR } from '../../catalogue/members/foreign-operator.ts';
import type { ContentOf } from '../../catalogue/members/member.ts';
import { parseVersion, versionText } from '../../catalogue/version.ts';
import { isNumber } from '../../catalogue/versioned/model.ts';
import { foreignText } from '../../validation/text.ts';
import type { Side } from './model.ts';
import { tooLong } from './product.ts';
import { codeIn, contentIn, situacaoIn, versaoIn } from './received.ts';
import { type Comparable, fingerprintOf } from './side.ts';

type Content = ContentOf<typeof OPERATOR>;

interface OperatorKey {
  readonly codigo: string;
  readonly codigoPais: string;
  readonly situacao: string;
}

const textOf = (place: Omit<OperatorKey, 'codigo'>, content: Content): string =>
  JSON.stringify({ ...place, ...columnsOf(content) });

function sideOf({ codigo, ...place }: OperatorKey, versao: string, content: Content): Side {
  const { tin, codigoInterno, nome } = content;
  const identificacoes = content.identificacoesAdicionais
    .map((identification) => JSON.stringify(identification))
    .sort();
  const fingerprint = fingerprintOf([place, { ...content, identificacoesAdicionais: identificacoes }]);
  return {
    key: codigo,
    versao,
    name: foreignText(nome ?? ''),
    situacao: place.situacao,
    fingerprint,
    identity: fingerprint,
    text: textOf(place, content),
    words: [
      ...(tin === null ? [] : [['tin', tin] as const]),
      ...(codigoInterno === null ? [] : [['codigoInterno', codigoInterno] as const]),
    ],
  };
}

const operatorKeyOf = ({ codigo, codigoPais, situacao }: OperatorKey): OperatorKey => ({
  codigo,
  codigoPais,
  situacao,
});

export const COMPARED_OPERATORS: Comparable = {
  kind: 'operador',
  *readLocal(db, cpfCnpjRaiz, codigo) {
    const keyFilter = codigo === undefined ? {} : { codigo };
    for (const row of iterateOperators(db, { cpfCnpjRaiz, ...keyFilter, withoutDeactivated: false }))
      yield sideOf(operatorKeyOf(row), versionText(row), contentOf(row));
  },
  readRemote(item) {
    const codigo = codeIn(item['codigo']);
    if (codigo === null || foreignText(codigo) !== codigo) return undefined;
    const codigoPais = foreignText(codeIn(item['codigoPais']) ?? '');
    return sideOf(
      { codigo, codigoPais, situacao: situacaoIn(item) },
      versaoIn(item),
      contentIn(OPERATOR, item),
    );
  },
  sorts: ['tin', 'codigoInterno'],
  pairsByCode: false,
  members: (text) => {
    const operator = JSON.parse(text) as PrintedOperator;
    const pais = { heading: OPERATOR.codigoPais.heading, text: operator.codigoPais };
    return new Map([...operatorMembers(operator), ['codigoPais', pais]]);
  },
  version(db, cpfCnpjRaiz, key, versao) {
    const store = new OperatorStore(db);
    const number = parseVersion(versao);
    const current = store.find(cpfCnpjRaiz, key);
    if (number === undefined || current === undefined) return undefined;
    const version = isNumber(current, number) ? current : store.versions.findPast(current.id, number);
    const { codigoPais } = current;
    return version && textOf({ codigoPais, situacao: 'ATIVADO' }, contentOf(version));
  },
  unsendableReason: (text, rules) =>
    tooLong('nome', (JSON.parse(text) as PrintedOperator).nome, rules.nomeMax),
  conflictReason(localText, remoteText) {
    const [ours, theirs] = [localText, remoteText].map(
      (json) => (JSON.parse(json) as OperatorKey).codigoPais,
    );
    return ours === theirs
      ? undefined
      : `país ${ours} aqui e ${theirs} lá, que não muda; desative um dos dois e inclua-o no outro país`;
  },
  allowsIdentical: true,
};
