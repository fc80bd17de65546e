/** The columns of the list, and those of the sheet. */
import { Link } from 'wouter-preact';
import type { PagedLink } from '../api/answers.ts';
import { addressOf as operatorAddress } from '../operadores/operator.ts';
import { addressOf as productAddress } from '../produtos/product.ts';
import { Button } from '../ui/button.tsx';
import { countryName } from '../ui/countries.ts';
import type { Column } from '../ui/table.tsx';
import { day } from '../words.ts';
import { keyOf, makerText } from './maker.ts';

export interface LinkColumnsOptions {
  readonly cpfCnpjRaiz: string;
  /** Keys of those that are chosen; `undefined` for whoever only reads. */
  readonly chosen: ReadonlySet<string> | undefined;
  readonly onToggle: (link: PagedLink) => void;
  readonly onUnlink: (link: PagedLink) => void;
}

export function columnsFor({
  cpfCnpjRaiz,
  chosen,
  onToggle,
  onUnlink,
}: LinkColumnsOptions): readonly Column<PagedLink>[] {
  const shown: readonly Column<PagedLink>[] = [
    {
      ...{ key: 'product', title: 'Produto' },
      cell: ({ codigoProduto, denominacao }) => (
        <>
          <code>{codigoProduto}</code>{' '}
          <Link href={productAddress({ cpfCnpjRaiz, codigo: codigoProduto })} title={denominacao}>
            <bdi>{denominacao}</bdi>
          </Link>
        </>
      ),
    },
    {
      ...{ key: 'maker', title: 'Fabricante ou produtor', width: 280 },
      cell: (link) =>
        link.codigoOperadorEstrangeiro === null ? (
          makerText(link)
        ) : (
          <Link
            href={operatorAddress({ cpfCnpjRaiz, codigo: link.codigoOperadorEstrangeiro })}
            title={makerText(link)}
          >
            <bdi>{makerText(link)}</bdi>
          </Link>
        ),
    },
    {
      ...{ key: 'country', title: 'País', width: 140 },
      cell: ({ codigoPais }) => (
        <>
          <code>{codigoPais}</code> {countryName(codigoPais)}
        </>
      ),
    },
    { key: 'since', title: 'Desde', width: 110, cell: ({ startsOn }) => day(startsOn) },
  ];
  if (chosen === undefined) return shown;
  return [
    {
      ...{ key: 'choose', title: '', width: 42 },
      cell: (link) => (
        <input
          type="checkbox"
          aria-label={`Escolher ${link.codigoProduto}, ${makerText(link)}`}
          checked={chosen.has(keyOf(link))}
          onChange={() => onToggle(link)}
        />
      ),
    },
    ...shown,
    {
      ...{ key: 'unlink', title: '', width: 130 },
      cell: (link) => (
        <Button kind="bare" small onPress={() => onUnlink(link)}>
          Desvincular
        </Button>
      ),
    },
  ];
}

type SheetColumn = readonly [title: string, text: (link: PagedLink) => string | null];

export const SHEET: readonly SheetColumn[] = [
  ['Código do produto', ({ codigoProduto }) => String(codigoProduto)],
  ['Denominação', ({ denominacao }) => denominacao],
  ['Conhecido', ({ conhecido }) => (conhecido ? 'SIM' : 'NÃO')],
  ['País', ({ codigoPais }) => codigoPais],
  ['Operador estrangeiro', ({ codigoOperadorEstrangeiro }) => codigoOperadorEstrangeiro],
  ['Nome do operador', ({ nome }) => nome],
  ['CPF/CNPJ do fabricante', ({ cpfCnpjFabricante }) => cpfCnpjFabricante],
  ['Desde', ({ startsOn }) => day(startsOn)],
];
