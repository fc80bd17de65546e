/** Defines the bulk change of products (contract section 25): the request, and the patch of each product. */
import type { TOptional } from '@sinclair/typebox';
import type { Problem } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { isNumberText, scalarText } from '../../validation/json-number.ts';
import { escaped } from '../../pointer.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import type { linkSchemas } from '../manufacturer-link/model.ts';
import type { Member } from '../members/member.ts';
import { PRODUCT, PRODUCT_SETTABLE, type SettableName } from '../members/product.ts';
import { strict, strictForm } from '../model.ts';
import { attributeFormProblems } from '../product/attribute-form.ts';
import { productPageFilters } from '../product/filter.ts';
import { CODIGO_INTERNO_MAX, Codigo, type productSchemas } from '../product/model.ts';
import type { AttributeContent, ProductPatch } from '../product/patch.ts';
import { ImportId } from '../import/model.ts';
import { t } from '../../validation/type.ts';

/** Maximum codes in one request. A filter can select more products. */
const CODES_MAX = 100_000;
const LISTED_MAX = 1000;

export function changeRequestSchema(
  rules: CatalogueRules,
  { Request }: ReturnType<typeof productSchemas>,
  links: ReturnType<typeof linkSchemas>,
) {
  const settable = Object.fromEntries(
    PRODUCT_SETTABLE.map((name) => {
      const { required, fixed }: Member = PRODUCT[name];
      const emptyOption = required === undefined ? { 'x-keeps-empty': true } : {};
      const draftNote = fixed === true ? { description: 'Só de rascunhos.' } : {};
      return [name, t.Optional({ ...Request.properties[name], ...emptyOption, ...draftNote })];
    }),
  ) as { [Name in SettableName]: TOptional<(typeof Request.properties)[Name]> }; // keys are the names
  const codes = (description: string) =>
    t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: CODIGO_INTERNO_MAX, 'x-code': true }), {
        maxItems: LISTED_MAX,
        description,
      }),
    );
  const link = t.Omit(links.Request, ['codigoProduto']);
  const Link = t.Object(link.properties, {
    ...strict,
    'x-form': 'LinkOfProduct',
    description: 'Um fabricante ou produtor de cada um dos produtos.',
  });
  const linkList = (description: string) => t.Optional(t.Array(Link, { maxItems: LISTED_MAX, description }));
  const filter = t.Omit(t.Object(productPageFilters(rules)), ['cpfCnpjRaiz', 'dataReferencia']);
  return t.Object(
    {
      cpfCnpjRaiz: links.cpfCnpjRaiz,
      codigos: t.Optional(
        t.Array(Codigo, { minItems: 1, maxItems: CODES_MAX, description: 'Os produtos, por código.' }),
      ),
      filter: t.Optional(
        t.Object(filter.properties, {
          ...strict,
          'x-form': 'ProductChoice',
          description: 'Todos os produtos que estes filtros da consulta encontram; ao menos um filtro.',
        }),
      ),
      set: t.Optional(
        strictForm('ProductSet', 'O que muda; o que não está aqui fica como está.', {
          ...settable,
          codigosInterno: t.Optional(
            strictForm('CodeChanges', 'Códigos internos que entram e que saem.', {
              add: codes('A acrescentar.'),
              remove: codes('A retirar.'),
            }),
          ),
          atributos: t.Optional(
            t.Unsafe<Readonly<Record<string, unknown>>>({
              type: 'object',
              additionalProperties: true,
              description:
                'De cada atributo, por código: um texto, uma lista de textos, um objeto de subatributos ou uma lista deles; null retira o atributo.',
              examples: [{ ATT_90001: '01' }],
            }),
          ),
        }),
      ),
      links: t.Optional(
        strictForm('LinkChanges', 'Vínculos que entram e que saem.', {
          add: linkList('A vincular.'),
          remove: linkList('A desvincular.'),
        }),
      ),
      deactivate: t.Optional(t.Boolean({ description: 'true: desativa os produtos; então nada mais muda.' })),
      reactivate: t.Optional(t.Boolean({ description: 'true: ativa os que estão desativados.' })),
      expected: t.Optional(
        t.Integer({ minimum: 0, description: 'Quantos serão desativados, onde são muitos.' }),
      ),
      simular: t.Optional(t.Boolean({ description: 'true: mostra o que mudaria e não grava nada.' })),
      from: t.Optional({ ...ImportId, description: 'A simulação cujas linhas são agora gravadas.' }),
    },
    {
      ...strict,
      'x-form': 'ProductChanges',
      description: 'Quais produtos, e o que muda em cada um.',
      examples: [
        { cpfCnpjRaiz: '12345678', codigos: [1], set: { descricao: 'Com tampa, 10 L' }, simular: true },
      ],
    },
  );
}
export type ChangeRequest = ReturnType<typeof changeRequestSchema>['static'];

/** The instructions that are stored with the job. */
export type ChangeInstructions = Pick<
  ChangeRequest,
  'cpfCnpjRaiz' | 'set' | 'links' | 'deactivate' | 'reactivate'
>;

export type ProductSet = NonNullable<ChangeInstructions['set']>;

/** Instructions with values that a correction changed for some products. */
export interface CorrectedInstructions extends ChangeInstructions {
  readonly corrected?: readonly { readonly set: ProductSet; readonly codigos: readonly number[] }[];
}

export const parseChangeInstructions = (pedido: string): CorrectedInstructions =>
  JSON.parse(pedido) as CorrectedInstructions; // written by this program

/** Returns the set of each product that a correction changed. */
export const correctedSets = ({ corrected = [] }: CorrectedInstructions): Map<number, ProductSet> =>
  new Map(corrected.flatMap(({ set, codigos }) => codigos.map((codigo) => [codigo, set] as const)));

/** Merges other values into instructions. Unnamed parts of a compound stay. */
export function setWith(set: ProductSet, part: ProductSet): ProductSet {
  const atributos = Object.entries(part.atributos ?? {}).map(([codigo, value]) => {
    const before = groupOf(set.atributos?.[codigo]);
    const newGroup = groupOf(value);
    return [
      codigo,
      before !== undefined && newGroup !== undefined ? { ...before, ...newGroup } : value,
    ] as const;
  });
  return {
    ...set,
    ...part,
    ...(part.codigosInterno && { codigosInterno: { ...set.codigosInterno, ...part.codigosInterno } }),
    ...(part.atributos && { atributos: { ...set.atributos, ...Object.fromEntries(atributos) } }),
  };
}

/** Returns the instructions as the patch of a product. `changeRequestProblems` reports its problems before. */
export function patchOf({ set = {}, reactivate = false }: ChangeInstructions): ProductPatch {
  const { codigosInterno, atributos = {}, ...members } = set;
  const attributes = Object.entries(atributos).map(
    ([codigo, received]) => [codigo.trim(), attributeContentOf(received) ?? EMPTY] as const,
  );
  return {
    members,
    codigosInterno: { add: codigosInterno?.add ?? [], remove: codigosInterno?.remove ?? [] },
    atributos: new Map(attributes),
    reactivate,
  };
}

const EMPTY: AttributeContent = { values: [], groups: [] };

/**
 * Returns the content for a text, a list of texts, the parts of a compound, or a list of these. `undefined`
 * for anything else.
 */
function attributeContentOf(received: unknown): AttributeContent | undefined {
  if (received === null) return EMPTY;
  const text = textOf(received);
  if (text !== undefined) return { ...EMPTY, values: [text] };
  if (!Array.isArray(received)) {
    const group = groupOf(received);
    return group && { ...EMPTY, groups: [group] };
  }
  const values = received.map(textOf).filter((text) => text !== undefined);
  if (values.length === received.length) return { ...EMPTY, values };
  const groups = received.map(groupOf).filter((group) => group !== undefined);
  return groups.length === received.length ? { ...EMPTY, groups } : undefined;
}

const textOf = (received: unknown): string | undefined =>
  typeof received === 'string' ? received : scalarText(received);

function groupOf(received: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof received !== 'object' || received === null || Array.isArray(received) || isNumberText(received))
    return undefined;
  const parts = Object.entries(received).map(
    ([part, value]) => [part.trim(), value === null ? '' : textOf(value)] as const,
  );
  return parts.some(([, text]) => text === undefined)
    ? undefined
    : (Object.fromEntries(parts) as Readonly<Record<string, string>>);
}

/** Returns true if the filter leaves products out. A remote alone does not, nor does a `false` value. */
const excludesProducts = (filter: object): boolean =>
  Object.entries(filter).some(([name, value]) => name !== 'remote' && value !== false);

/** Returns the problems of a request that no schema can express. */
export function changeRequestProblems(request: ChangeRequest): Problem[] {
  const { codigos, filter, set, links, deactivate, reactivate, from } = request;
  const [selections, changes] = [
    [codigos, filter],
    [set, links, deactivate || undefined, reactivate || undefined],
  ];
  const countPresent = (members: readonly unknown[]): number =>
    members.filter((member) => member !== undefined).length;
  const problems: Problem[] = [];
  const add = (field: string, message: string, path = `/${field}`): void =>
    void problems.push(fieldProblem(field, message, path));
  if (from !== undefined) {
    if (countPresent([...selections, ...changes]) > 0 || request.simular === true)
      add('from', 'grava o que a simulação mostrou; retire os outros membros, menos cpfCnpjRaiz e expected.');
    return problems;
  }
  if (countPresent(selections) !== 1) add('codigos', 'informe codigos ou filter, um dos dois.');
  if (filter !== undefined && !excludesProducts(filter))
    add('filter', 'recebido vazio; informe ao menos um filtro, ou os produtos em codigos.');
  if (countPresent(changes) === 0) add('set', 'informe o que muda: set, links, deactivate ou reactivate.');
  if (deactivate === true && countPresent(changes) > 1)
    add('deactivate', 'desativa e nada mais; retire set, links e reactivate.');
  const attributes: (readonly [codigo: string, AttributeContent])[] = [];
  for (const [codigo, received] of Object.entries(set?.atributos ?? {})) {
    const content = attributeContentOf(received);
    if (content !== undefined) attributes.push([codigo, content]);
    else
      add(
        'atributos',
        `${codigo}: recebido ${formatValue(received)}; aceita um texto, uma lista de textos, um objeto de subatributos, uma lista deles, ou null.`,
        `/set/atributos/${escaped(codigo)}`,
      );
  }
  return [...problems, ...attributeFormProblems(attributes, '/set/atributos')];
}
