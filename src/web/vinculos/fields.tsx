/** Fields for a product and an operator, found by code, name and the company's own codes. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PagedForeignOperator, PagedProduct } from '../api/answers.ts';
import { OPERATOR_PAGES } from '../operadores/operator.ts';
import { PRODUCT_PAGES } from '../produtos/product.ts';
import { Combobox, type ComboboxProps } from '../ui/combobox.tsx';
import type { Option } from '../ui/select.tsx';
import { api } from '../api/api.ts';
import { type Query, queryOf } from '../api/client.ts';
import type { Page } from '../api/pages.ts';
import { setSearching } from '../api/pending-searches.ts';
import { pause, useRequest } from '../api/use-request.ts';
import { useResource } from '../api/use-resource.ts';
import { folded } from '../words.ts';

type RecordFieldProps = Omit<ComboboxProps, 'options' | 'onSearch'> & {
  readonly cpfCnpjRaiz: string;
  /** True for searches. A new link needs an active record. */
  readonly withDeactivated?: boolean;
};

export function ProductField({ cpfCnpjRaiz, withDeactivated = false, ...field }: RecordFieldProps) {
  const { value, onChange } = field;
  const choices = useChoices<PagedProduct>({
    path: PRODUCT_PAGES,
    query: { cpfCnpjRaiz },
    value,
    onChange,
    optionOf: (product) =>
      product.situacao === 'DESATIVADO' && !withDeactivated ? undefined : productOption(product),
    queriesFor: (text) => [
      ...(/^0*[1-9]\d{0,9}$/.test(text) ? [{ codigo: text }] : []),
      { internalCode: text },
      { denominacao: text },
    ],
  });
  return <Combobox placeholder="Código, nome ou código interno" {...field} {...choices} />;
}

const productOption = ({ codigo, denominacao, codigosInterno }: PagedProduct): Option => ({
  value: String(codigo),
  label: denominacao,
  ...(codigosInterno.length > 0 && { hint: codigosInterno.join(', ') }),
});

export function OperatorField(
  props: RecordFieldProps & {
    /** Restricts the operators to this country. */
    readonly codigoPais?: string;
  },
) {
  const { cpfCnpjRaiz, codigoPais = '', withDeactivated = false, ...field } = props;
  const { value, onChange } = field;
  const query = { cpfCnpjRaiz, paisOrigem: codigoPais, exibirDesativados: withDeactivated };
  const choices = useChoices<PagedForeignOperator>({
    path: OPERATOR_PAGES,
    query,
    value,
    onChange,
    optionOf: operatorOption,
    queriesFor: (text) => [{ codigo: text }, { tin: text }, { codigoInterno: text }, { nome: text }],
  });
  return <Combobox placeholder="Código, nome ou TIN" {...field} {...choices} />;
}

function operatorOption({ codigo, nome, tin, codigoInterno }: PagedForeignOperator): Option {
  const hint = [tin, codigoInterno].filter((text) => text !== null).join(', ');
  return { value: codigo, label: nome, ...(hint !== '' && { hint }) };
}

/**
 * Number of records in the first load. A page of the largest size would be wasteful for a user who only
 * reads.
 */
const FIRST_ROWS = 200;
const MATCHING_ROWS = 50;
const TYPING_MS = 150;

interface ChoicesOptions<Row> {
  readonly path: string;
  readonly query: Query;
  /** The selected code. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly optionOf: (row: Row) => Option | undefined;
  /** Returns the queries by which the server finds a typed text. */
  readonly queriesFor: (text: string) => readonly Query[];
}

interface Choices {
  readonly options: readonly Option[];
  readonly onSearch?: (text: string) => void;
  /** True until the server answers: more options may follow. */
  readonly pending?: boolean;
}

interface SearchResult {
  readonly text: string;
  readonly options: readonly Option[];
}

/**
 * Offers records to choose by code, name and own code. A short list is loaded whole; a long one is searched
 * on the server.
 */
function useChoices<Row>(choicesOptions: ChoicesOptions<Row>): Choices {
  const { path, query, value, onChange, optionOf, queriesFor } = choicesOptions;
  const first = useResource<Page<Row>>(path, { query: { ...query, limit: FIRST_ROWS } });
  const isSinglePage = first.value?.next === null;
  const firstOptions = optionsOf(first.value?.items ?? [], optionOf);
  const [result, setResult] = useState<SearchResult>();
  const resultOptions = result?.options;
  const [text, setText] = useState<string>();
  const chosenRef = useRef<Option>(undefined);
  const currentOption = [...(resultOptions ?? firstOptions), ...firstOptions].find(
    (option) => option.value === value,
  );
  // The values at the time of the answer, not of the request.
  const latestRef = useRef({ value, onChange });
  useLayoutEffect(() => {
    latestRef.current = { value, onChange };
    if (currentOption !== undefined) chosenRef.current = currentOption;
  });

  // Handles a text that was typed before the options were loaded.
  useEffect(() => {
    if (!isSinglePage || text === undefined) return;
    const match = optionNamed(text, firstOptions) ?? onlyMatch(text, firstOptions);
    if (match !== undefined && match.value !== value) onChange(match.value);
    setText(undefined);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when they are loaded
  }, [isSinglePage]);

  const isTyped = text !== undefined && text.trim() !== '';
  // The address may name a record that is not among the first ones.
  const isUnknown = value !== '' && first.isReady && currentOption === undefined;
  const searchText = isTyped ? text : isUnknown ? value : undefined;
  const isSearching = !isSinglePage && searchText !== undefined;
  useRequest(isSearching ? `${path}${queryOf(query)} ${searchText}` : undefined, async (signal) => {
    if (searchText === undefined) return;
    await pause(TYPING_MS);
    if (signal.aborted) return;
    const answers = await Promise.all(
      queriesFor(searchText.trim()).map((further) =>
        api.get<Page<Row>>(path, { query: { ...query, ...further, limit: MATCHING_ROWS }, signal }),
      ),
    );
    if (signal.aborted) return;
    const options = optionsOf(
      answers.flatMap((answer) => (answer.ok ? answer.value.items : [])),
      optionOf,
    );
    setResult({ text: searchText, options });
    // The text was typed whole and the field left before the answer; the selection may have changed since.
    const match = optionNamed(searchText, options);
    const latest = latestRef.current;
    if (match !== undefined && latest.value === value && match.value !== value) latest.onChange(match.value);
  });

  // Results for another text do not count for the current one.
  const pending = isTyped && (first.isReady ? result?.text !== text : first.error === undefined);
  useLayoutEffect(() => {
    setSearching(latestRef, pending);
    return () => setSearching(latestRef, false);
  }, [pending]);

  if (isSinglePage) return { options: firstOptions };
  if (!first.isReady) return { options: firstOptions, onSearch: setText, pending };
  const options = pending
    ? optionsContaining(text, [...firstOptions, ...(resultOptions ?? [])])
    : isTyped
      ? (resultOptions ?? [])
      : firstOptions;
  const visibleOption = currentOption ?? chosenRef.current;
  // The name of the selected record stays during any search.
  const isListed =
    visibleOption === undefined ||
    visibleOption.value !== value ||
    options.some((option) => option.value === value);
  return { options: isListed ? options : [...options, visibleOption], onSearch: setText, pending };
}

/** Returns the option whose code, or unique name, equals the text. */
function optionNamed(text: string, options: readonly Option[]): Option | undefined {
  const foldedText = folded(text.trim());
  const namesakes = options.filter(({ label }) => folded(label) === foldedText);
  return (
    options.find((option) => folded(option.value) === foldedText) ??
    (namesakes.length === 1 ? namesakes[0] : undefined)
  );
}

function onlyMatch(text: string, options: readonly Option[]): Option | undefined {
  const matches = text.trim() === '' ? [] : optionsContaining(text, options);
  return matches.length === 1 ? matches[0] : undefined;
}

/** Returns the options that contain the text, each once. */
function optionsContaining(text: string, options: readonly Option[]): readonly Option[] {
  const foldedText = folded(text.trim());
  const matches = options.filter(({ value, label, hint = '' }) =>
    folded(`${value} ${label} ${hint}`).includes(foldedText),
  );
  return [...new Map(matches.map((option) => [option.value, option])).values()];
}

function optionsOf<Row>(rows: readonly Row[], optionOf: (row: Row) => Option | undefined): readonly Option[] {
  const options = rows.map(optionOf).filter((option) => option !== undefined);
  return [...new Map(options.map((option) => [option.value, option])).values()];
}
