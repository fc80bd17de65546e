/** Filters of the product list, under the parameter names of the API. */
import { STANDING_WORDS } from '../../catalogue/members/standing.ts';
import type { Remote } from '../api/answers.ts';
import type { Filter, FilterBinding } from '../kit/list/filters.tsx';
import { DayInput } from '../ui/typed-input.tsx';
import { Input } from '../ui/field.tsx';
import { NcmCombobox } from '../ui/ncm-combobox.tsx';
import { Select } from '../ui/select.tsx';
import { unpointed } from '../words.ts';
import { MODALIDADES } from './product.ts';

const ANY = { value: '', label: 'Qualquer' } as const;
const MODALIDADE_OPTIONS = [ANY, ...Object.entries(MODALIDADES).map(([value, label]) => ({ value, label }))];

/** Missing data is determined per modality, so `AMBOS` is not an option. */
const DUE_OPTIONS = MODALIDADE_OPTIONS.filter(({ value }) => value !== 'AMBOS');

/** Numbers of the API (specification, States). */
const SITUACOES = [
  { value: '0', label: 'Ativado' },
  { value: '1', label: 'Desativado' },
  { value: '2', label: 'Rascunho' },
] as const;

const REPEATS = [
  ANY,
  { value: 'conteudo', label: 'Mesmo conteúdo' },
  { value: 'denominacao', label: 'Mesma denominação' },
  { value: 'codigoInterno', label: 'Mesmo código interno' },
] as const;

/** Returns the number of a situation. An address may have the number or the word. */
const situacaoNumber = (situacao: string): string =>
  SITUACOES.find(({ label }) => label.toUpperCase() === situacao.toUpperCase())?.value ?? situacao;

const capitals = (text: string): string => text.toUpperCase();
const without =
  (marks: RegExp) =>
  (text: string): string =>
    text.replaceAll(marks, '');

/** Filters that the user adds. Each name is a parameter of the API. */
const ADDED: readonly Omit<Filter, 'offer'>[] = [
  { name: 'denominacao', label: 'Denominação', field: (it) => <Input {...it} /> },
  { name: 'descricao', label: 'Descrição', field: (it) => <Input {...it} /> },
  {
    name: 'ncm',
    label: 'NCM',
    normalize: without(/\./g),
    field: (it) => <NcmCombobox acceptsPrefixes {...it} />,
  },
  {
    name: 'modalidade',
    label: 'Modalidade',
    field: (it) => <Select options={MODALIDADE_OPTIONS} {...it} />,
  },
  {
    name: 'situacao',
    label: 'Situação',
    normalize: situacaoNumber,
    field: (it) => <Select options={[ANY, ...SITUACOES]} {...it} />,
  },
  {
    // Finds a code without its leading zeros, too.
    name: 'codigoInterno',
    label: 'Códigos internos',
    parameter: 'internalCode',
    field: (it) => <Input code {...it} />,
  },
  {
    name: 'codigo',
    label: 'Código',
    field: (it) => <Input code inputMode="numeric" {...it} />,
  },
  { name: 'repeated', label: 'Repetidos', field: (it) => <Select options={REPEATS} {...it} /> },
  { name: 'dataReferencia', label: 'Como estava em', field: (it) => <DayInput {...it} /> },
  { name: 'deadline', label: 'Falta o exigido desde', field: (it) => <DayInput {...it} /> },
  {
    name: 'lacks',
    label: 'Falta o atributo',
    normalize: capitals,
    field: (it) => <Input code placeholder="ATT_…" {...it} />,
  },
  { name: 'lacksFor', label: 'Falta para', field: (it) => <Select options={DUE_OPTIONS} {...it} /> },
  {
    name: 'paisOrigem',
    label: 'País de origem',
    normalize: capitals,
    field: (it) => <Input code placeholder="Sigla: CN" {...it} />,
  },
  {
    name: 'cpfCnpjFabricante',
    label: 'Fabricante',
    normalize: without(/[./-]/g),
    field: (it) => <Input code placeholder="CPF ou CNPJ" {...it} />,
  },
  {
    name: 'operadorEstrangeiroCodigo',
    label: 'Operador',
    field: (it) => <Input code placeholder="Código ou TIN" {...it} />,
  },
  ...[
    ['periodoRegistroInicio', 'Registrado de'],
    ['periodoRegistroFim', 'Registrado até'],
    ['ultimaAlteracaoInicio', 'Alterado de'],
    ['ultimaAlteracaoFim', 'Alterado até'],
  ].map(([name = '', label = '']) => ({
    name,
    label,
    field: (it: FilterBinding) => <DayInput {...it} />,
  })),
];

export const FILTERS: readonly Filter[] = [
  {
    // Searches each word in the name, the codes and the beginning of the NCM.
    name: 'text',
    label: 'Palavras',
    normalize: unpointed,
    field: (it) => <Input type="search" placeholder="nome, código ou NCM" {...it} />,
  },
  ...ADDED.map((filter): Filter => ({ ...filter, offer: 'added' })),
];

const STATES = [ANY, ...Object.entries(STANDING_WORDS).map(([value, label]) => ({ value, label }))];

/** Returns the filters by state at each remote of the company. They are not offered without a remote. */
export const remoteFilters = (remotes: readonly Remote[]): readonly Filter[] => {
  const offer = remotes.length === 0 ? 'hidden' : 'added';
  const names = remotes.map(({ name }) => ({ value: name, label: name }));
  return [
    {
      name: 'remote',
      label: 'Remoto',
      offer,
      field: (it) => <Select options={[{ value: '', label: 'Nenhum' }, ...names]} {...it} />,
    },
    {
      name: 'remoteState',
      label: 'Estado no remoto',
      offer,
      field: (it) => <Select options={STATES} {...it} />,
    },
  ];
};
