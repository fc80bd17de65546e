/** Mutations of a valid product, each of which breaks exactly one rule; `undefined` if it does not apply. */
import type { ATTRIBUTE_CODES } from '../../../../src/catalogue/attribute/words/codes.ts';
import { type FileDetail, type Lists, type Sample, holds } from './generate.ts';

export interface Broken {
  readonly lists: Lists;
  readonly rule: keyof typeof ATTRIBUTE_CODES;
  readonly path: string;
}

export type Mutation = (sample: Sample, lists: Lists) => Broken | undefined;

/** Returns every description of the file by code. */
function descriptionsOf(sample: Sample): Map<string, FileDetail> {
  const all = new Map<string, FileDetail>();
  const visit = (detail: FileDetail): void => {
    all.set(detail.codigo, detail);
    detail.listaSubatributos.forEach(visit);
    detail.condicionados.forEach(({ atributo }) => visit(atributo));
  };
  sample.file.detalhesAtributos.forEach(visit);
  return all;
}

/** Replaces the first suitable value by one that breaks a rule of values. */
const spoil =
  (rule: Broken['rule'], wrong: (detail: FileDetail) => string | undefined): Mutation =>
  (sample, lists) => {
    const details = descriptionsOf(sample);
    for (const [index, item] of lists.atributos.entries()) {
      const value = wrongOf(details, item.atributo, wrong);
      if (value === undefined) continue;
      item.valor = value;
      return { lists, rule, path: `/atributos/${index}/valor` };
    }
    for (const [index, item] of lists.atributosMultivalorados.entries()) {
      const value = wrongOf(details, item.atributo, wrong);
      if (value === undefined) continue;
      item.valores[item.valores.length - 1] = value;
      return { lists, rule, path: `/atributosMultivalorados/${index}/valores/${item.valores.length - 1}` };
    }
    for (const [index, item] of lists.atributosCompostosMultivalorados.entries())
      for (const [at, sub] of (item.valores.at(-1) ?? []).entries()) {
        const value = wrongOf(details, sub.atributo, wrong);
        if (value === undefined) continue;
        sub.valor = value;
        const path = `/atributosCompostosMultivalorados/${index}/valores/${item.valores.length - 1}/${at}/valor`;
        return { lists, rule, path };
      }
    return undefined;
  };

function wrongOf(
  details: Map<string, FileDetail>,
  atributo: string,
  wrong: (detail: FileDetail) => string | undefined,
): string | undefined {
  const detail = details.get(atributo);
  return detail === undefined ? undefined : wrong(detail);
}

const WRONG_TYPES: Readonly<Record<string, string>> = {
  BOOLEANO: 'sim',
  DATA: '2026-02-30',
  DATA_HORA: '2026-02-28T24:00:00',
  NUMERO_INTEIRO: '1.5',
  NUMERO_REAL: '1,5',
};

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a required attribute is left out': ({ file }, lists) => {
    for (const { codigo, obrigatorio } of file.listaNcm[0]?.listaAtributos ?? []) {
      if (!obrigatorio || codigo.startsWith('ATT_L')) continue;
      for (const name of Object.keys(lists) as (keyof Lists)[]) {
        const index = lists[name].findIndex(({ atributo }) => atributo === codigo);
        if (index < 0) continue;
        lists[name].splice(index, 1);
        return { lists, rule: 'requiredMissing', path: `/${name}` };
      }
    }
    return undefined;
  },
  'an attribute without a pair is added': (_, lists) => {
    lists.atributos.push({ atributo: 'ATT_NADA', valor: 'x' });
    return { lists, rule: 'notOfNcm', path: `/atributos/${lists.atributos.length - 1}/atributo` };
  },
  'a pair is of the other modality': ({ file }, lists) => {
    const index = lists.atributosMultivalorados.findIndex(({ atributo }) => atributo.startsWith('ATT_P'));
    const code = lists.atributosMultivalorados[index]?.atributo;
    const pair = file.listaNcm[0]?.listaAtributos.find(({ codigo }) => codigo === code);
    if (pair === undefined) return undefined;
    pair.modalidade = 'Exportação';
    return { lists, rule: 'notOfNcm', path: `/atributosMultivalorados/${index}/atributo` };
  },
  'an attribute loses objective 7': ({ file }, lists) => {
    const index = lists.atributosCompostos.findIndex(() => true);
    const code = lists.atributosCompostos[index]?.atributo;
    const detail = file.detalhesAtributos.find(({ codigo }) => codigo === code);
    if (detail === undefined) return undefined;
    detail.objetivos = [{ codigo: 3, descricao: 'Outro' }];
    return { lists, rule: 'notOfNcm', path: `/atributosCompostos/${index}/atributo` };
  },
  'a single value is sent as several': (_, lists) => {
    const entry = lists.atributos.pop();
    if (entry === undefined) return undefined;
    lists.atributosMultivalorados.push({ atributo: entry.atributo, valores: [entry.valor] });
    const path = `/atributosMultivalorados/${lists.atributosMultivalorados.length - 1}/atributo`;
    return { lists, rule: 'wrongList', path };
  },
  'several values are sent as a single one': (_, lists) => {
    const index = lists.atributosMultivalorados.findIndex(
      ({ atributo, valores }) => valores.length === 1 || !atributo.startsWith('ATT_L'),
    );
    const [entry] = index < 0 ? [] : lists.atributosMultivalorados.splice(index, 1);
    if (entry === undefined) return undefined;
    lists.atributos.push({ atributo: entry.atributo, valor: entry.valores[0] ?? '' });
    return { lists, rule: 'wrongList', path: `/atributos/${lists.atributos.length - 1}/atributo` };
  },
  'a compound is sent as a group of groups': (_, lists) => {
    const entry = lists.atributosCompostos.pop();
    if (entry === undefined) return undefined;
    lists.atributosCompostosMultivalorados.push({ atributo: entry.atributo, valores: [entry.valores] });
    const path = `/atributosCompostosMultivalorados/${lists.atributosCompostosMultivalorados.length - 1}/atributo`;
    return { lists, rule: 'wrongList', path };
  },
  'a simple attribute is sent as a compound': (_, lists) => {
    const entry = lists.atributos.pop();
    if (entry === undefined) return undefined;
    lists.atributosCompostos.push({ atributo: entry.atributo, valores: [entry] });
    return {
      lists,
      rule: 'wrongList',
      path: `/atributosCompostos/${lists.atributosCompostos.length - 1}/atributo`,
    };
  },
  'a value is not in the domain': spoil('notInDomain', ({ dominio }) =>
    dominio.length > 0 ? '100' : undefined,
  ),
  'a value is of another type': spoil(
    'wrongType',
    ({ formaPreenchimento }) => WRONG_TYPES[formaPreenchimento],
  ),
  'a value is one character or digit too long': spoil(
    'tooLong',
    ({ formaPreenchimento, tamanhoMaximo, mascara }) => {
      if (tamanhoMaximo === undefined || mascara !== undefined) return undefined;
      return (formaPreenchimento.startsWith('NUMERO') ? '1' : '🐟').repeat(tamanhoMaximo + 1);
    },
  ),
  'a number has one decimal too many': spoil('tooManyDecimals', ({ casasDecimais, tamanhoMaximo = 0 }) =>
    casasDecimais !== undefined && casasDecimais + 2 <= tamanhoMaximo
      ? `1.${'0'.repeat(casasDecimais + 1)}`
      : undefined,
  ),
  'a text breaks its mask': spoil('maskMismatch', ({ mascara }) =>
    mascara === undefined ? undefined : `${mascara}x`,
  ),
  'a value is empty': spoil('valueMissing', () => ''),
  'a list of values is empty': (_, lists) => {
    const item = lists.atributosMultivalorados[0];
    if (item === undefined) return undefined;
    item.valores = [];
    return { lists, rule: 'valueMissing', path: '/atributosMultivalorados/0/valores' };
  },
  'a group is empty': (_, lists) => {
    const item = lists.atributosCompostosMultivalorados[0];
    if (item === undefined) return undefined;
    item.valores[0] = [];
    return { lists, rule: 'valueMissing', path: '/atributosCompostosMultivalorados/0/valores/0' };
  },
  'a required conditioned attribute is left out': ({ file }, lists) => {
    for (const { codigo, condicionados } of file.detalhesAtributos) {
      if (condicionados[0]?.obrigatorio !== true) continue;
      const index = lists.atributos.findIndex(({ atributo }) => atributo === `${codigo}_1`);
      const hasChild = [...lists.atributos, ...lists.atributosMultivalorados].some(
        ({ atributo }) => atributo === `${codigo}_2`,
      );
      if (index < 0 || hasChild) continue;
      lists.atributos.splice(index, 1);
      return { lists, rule: 'conditionalMissing', path: '/atributos' };
    }
    return undefined;
  },
  'a conditioned attribute is present although its condition is false': ({ file }, lists) => {
    for (const { codigo, condicionados, dominio } of file.detalhesAtributos) {
      const [link] = condicionados;
      const attribute = lists.atributos.find(({ atributo }) => atributo === codigo);
      if (link === undefined || attribute === undefined || holds(link.condicao, attribute.valor)) continue;
      // The attributes that depend on this one do not apply either, so nothing else is missing.
      lists.atributos.push({ atributo: `${codigo}_1`, valor: dominio[0]?.codigo ?? '' });
      return { lists, rule: 'conditionNotMet', path: `/atributos/${lists.atributos.length - 1}/atributo` };
    }
    return undefined;
  },
  'a required sub-attribute is left out': ({ file }, lists) => {
    for (const [index, item] of lists.atributosCompostos.entries()) {
      const compound = file.detalhesAtributos.find(({ codigo }) => codigo === item.atributo);
      const required = compound?.listaSubatributos.find(({ obrigatorio }) => obrigatorio === true);
      if (required === undefined || item.valores.length < 2) continue;
      item.valores = item.valores.filter(({ atributo }) => atributo !== required.codigo);
      return { lists, rule: 'subattributeMissing', path: `/atributosCompostos/${index}/valores` };
    }
    return undefined;
  },
  'an unknown sub-attribute is present': (_, lists) => {
    const group = lists.atributosCompostosMultivalorados[0]?.valores.at(-1);
    if (group === undefined) return undefined;
    group.push({ atributo: 'ATT_P0', valor: 'x' });
    const at = (lists.atributosCompostosMultivalorados[0]?.valores.length ?? 0) - 1;
    const path = `/atributosCompostosMultivalorados/0/valores/${at}/${group.length - 1}/atributo`;
    return { lists, rule: 'unknownSubattribute', path };
  },
  'a compound has six groups': (_, lists) => {
    const item = lists.atributosCompostosMultivalorados[0];
    const group = item?.valores[0];
    if (item === undefined || group === undefined) return undefined;
    item.valores = Array.from({ length: 6 }, () => structuredClone(group));
    return { lists, rule: 'tooManyGroups', path: '/atributosCompostosMultivalorados/0/valores' };
  },
  'an attribute is repeated': (_, lists) => {
    const [first] = lists.atributos;
    if (first === undefined) return undefined;
    lists.atributos.push({ ...first });
    return { lists, rule: 'attributeTwice', path: `/atributos/${lists.atributos.length - 1}/atributo` };
  },
  'a sub-attribute is repeated in a group': (_, lists) => {
    const group = lists.atributosCompostos[0]?.valores;
    const first = group?.[0];
    if (group === undefined || first === undefined) return undefined;
    group.push({ ...first });
    return {
      lists,
      rule: 'subattributeTwice',
      path: `/atributosCompostos/0/valores/${group.length - 1}/atributo`,
    };
  },
  'a value is repeated': (_, lists) => {
    const values = lists.atributosMultivalorados[0]?.valores;
    if (values === undefined) return undefined;
    values.push(values[0] ?? '');
    return { lists, rule: 'valueTwice', path: `/atributosMultivalorados/0/valores/${values.length - 1}` };
  },
};
