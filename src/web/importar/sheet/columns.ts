/** The columns that a sheet of each kind may have: what people call them, and where their value goes (contract section 4). */
import type { ImportKind } from '../kinds.ts';
import type { Cell } from './cell.ts';
import { type ValueForm, codeOf, partsOf, valueOf } from './values.ts';

export interface Column {
  /** The member of the item; unique within its kind. */
  readonly member: string;
  /** As the template writes it. */
  readonly label: string;
  readonly isRequired: boolean;
  /** Other headings that mean the same. */
  readonly aliases: readonly string[];
  /** What the template shows in its row of examples. */
  readonly example: string;
  readonly read: (cell: Cell) => unknown;
}

interface Drawn {
  readonly aliases?: readonly string[];
  readonly example?: string;
  readonly required?: true;
  /** How the cell is read; a text as it is, where nothing is said. */
  readonly as?: ValueForm | 'texts' | 'identifications' | { readonly digits: readonly number[] };
}

const COMPANY: Drawn = {
  aliases: ['cpf cnpj', 'raiz', 'empresa', 'cnpj raiz'],
  example: '12345678',
  as: { digits: [8, 11] },
};
const CODE: Drawn = { aliases: ['codigo do produto', 'codigo siscomex', 'codigo portal'], as: 'integer' };
const STARTS: Drawn = { aliases: ['data referencia', 'inicio', 'vigencia', 'inicio vigencia'], as: 'day' };

export const COLUMNS: Readonly<Record<ImportKind, readonly Column[]>> = {
  produto: drawn({
    'cpfCnpjRaiz|CPF/CNPJ raiz': COMPANY,
    'codigo|Código': CODE,
    'versao|Versão': {},
    'situacao|Situação': { aliases: ['status'], example: 'ATIVADO', as: 'situation' },
    'denominacao|Denominação': {
      ...{
        required: true,
        example: 'Parafuso sextavado M8',
        aliases: ['nome', 'produto', 'titulo', 'descricao curta', 'nome do produto'],
      },
    },
    'descricao|Descrição': {
      ...{
        example: 'Parafuso sextavado de aço inoxidável M8 x 40 mm',
        aliases: ['descricao detalhada', 'descricao completa', 'detalhamento'],
      },
    },
    'ncm|NCM': {
      required: true,
      example: '73181500',
      aliases: ['codigo ncm', 'classificacao fiscal'],
      as: { digits: [8] },
    },
    'modalidade|Modalidade': {
      required: true,
      example: 'IMPORTACAO',
      aliases: ['operacao', 'tipo de operacao'],
      as: 'situation',
    },
    'codigosInterno|Códigos internos': {
      ...{
        example: '000123',
        aliases: [
          'codigo interno',
          'sku',
          'part number',
          'partnumber',
          'pn',
          'referencia',
          'codigo erp',
          'material',
        ],
      },
      as: 'texts',
    },
    'dataReferencia|Data de referência': STARTS,
  }),
  'operador-estrangeiro': drawn({
    'cpfCnpjRaiz|CPF/CNPJ raiz': COMPANY,
    'codigo|Código': { aliases: ['codigo do operador', 'operador'] },
    'versao|Versão': {},
    'situacao|Situação': { aliases: ['status'], as: 'situation' },
    'tin|TIN': { example: 'DE123456789', aliases: ['tax id', 'numero de identificacao', 'vat'] },
    'nome|Nome': {
      required: true,
      example: 'Schrauben GmbH',
      aliases: ['razao social', 'fabricante', 'exportador', 'fornecedor'],
    },
    'codigoPais|País': {
      required: true,
      example: 'DE',
      aliases: ['codigo pais', 'pais de origem', 'country'],
      as: 'country',
    },
    'logradouro|Logradouro': {
      required: true,
      example: 'Hauptstraße 1',
      aliases: ['endereco', 'rua', 'address'],
    },
    'nomeCidade|Cidade': {
      required: true,
      example: 'Hamburg',
      aliases: ['nome cidade', 'municipio', 'city'],
    },
    'codigoSubdivisaoPais|Subdivisão': {
      example: 'DE-HH',
      aliases: ['codigo subdivisao pais', 'estado', 'uf', 'provincia'],
    },
    'cep|CEP': { example: '20095', aliases: ['codigo postal', 'zip', 'postal code'] },
    'codigoInterno|Código interno': { aliases: ['codigo erp', 'codigo do fornecedor'] },
    'email|E-mail': { example: 'contato@exemplo.com', aliases: ['email', 'correio eletronico'] },
    'identificacoesAdicionais|Identificações adicionais': {
      aliases: ['identificacao adicional'],
      as: 'identifications',
    },
    'dataReferencia|Data de referência': STARTS,
  }),
  fabricante: drawn({
    'cpfCnpjRaiz|CPF/CNPJ raiz': COMPANY,
    'codigoProduto|Produto': {
      ...CODE,
      required: true,
      example: '1',
      aliases: [...(CODE.aliases ?? []), 'codigo produto', 'codigo'],
    },
    'conhecido|Conhecido': {
      required: true,
      example: 'SIM',
      aliases: ['fabricante conhecido', 'indicador conhecido'],
      as: 'boolean',
    },
    'codigoPais|País': {
      required: true,
      example: 'DE',
      aliases: ['codigo pais', 'pais de origem'],
      as: 'country',
    },
    'codigoOperadorEstrangeiro|Operador estrangeiro': {
      example: 'OPE_1',
      aliases: ['codigo operador', 'operador', 'fabricante'],
    },
    'cpfCnpjFabricante|CPF/CNPJ do fabricante': {
      aliases: ['cpf cnpj fabricante', 'cnpj fabricante'],
      as: { digits: [11, 14] },
    },
    'vincular|Vincular': { example: 'SIM', as: 'boolean' },
    'dataReferencia|Data de referência': STARTS,
  }),
  'ato-concessorio': drawn({
    'cpfCnpjRaiz|CPF/CNPJ raiz': COMPANY,
    'codigoProduto|Produto': {
      ...CODE,
      required: true,
      example: '1',
      aliases: [...(CODE.aliases ?? []), 'codigo produto', 'codigo'],
    },
    'numeroAto|Número do ato': {
      required: true,
      example: '20260012345',
      aliases: ['ato concessorio', 'ato', 'numero ato'],
    },
    'numeroItem|Item': { required: true, example: '1', aliases: ['numero item', 'numero do item'] },
  }),
};

/** `member|Label`, and what is to be said of it. */
function drawn(columns: Readonly<Record<string, Drawn>>): readonly Column[] {
  return Object.entries(columns).map(
    ([name, { aliases = [], example = '', required = false, as = 'text' }]) => {
      const [member = '', label = ''] = name.split('|');
      return {
        member,
        label,
        isRequired: required,
        aliases: [member, ...aliases],
        example,
        read: readerOf(as),
      };
    },
  );
}

function readerOf(as: NonNullable<Drawn['as']>): Column['read'] {
  if (typeof as === 'object') return (cell) => codeOf(cell, as.digits);
  if (as === 'texts') return ({ text }) => partsOf(text);
  if (as === 'identifications') return ({ text }) => partsOf(text).map(identificationOf);
  if (as === 'boolean') return (cell) => truthOf(valueOf(cell, as));
  return (cell) => valueOf(cell, as);
}

/** What is no truth value stays a text, which the service refuses by its name. */
const truthOf = (text: string): boolean | string =>
  text === 'true' || text === 'false' ? text === 'true' : text;

/** `123456:LEI`. */
function identificationOf(text: string): { readonly numero: string; readonly codigo: string } {
  const mark = text.lastIndexOf(':');
  if (mark === -1) return { numero: text, codigo: '' };
  return { numero: text.slice(0, mark).trim(), codigo: text.slice(mark + 1).trim() };
}
