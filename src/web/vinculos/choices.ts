/** Records to choose from by code, name and own code: all at once where they are few, else as the server finds them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import type { Query } from '../api/client.ts';
import { useResource } from '../api/use-resource.ts';
import type { Option } from '../ui/select.tsx';
import { folded } from '../words.ts';

/** A whole page of the largest size would be fetched by whoever only looks. */
const ALL_MOST = 200;
const FOUND_MOST = 50;
const TYPING_MS = 150;

interface Answer<Row> {
  readonly items: readonly Row[];
  readonly next: string | null;
}

export interface Choosing<Row> {
  readonly path: string;
  readonly query: Query;
  /** The code that is chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly optionOf: (row: Row) => Option | undefined;
  /** The questions by which the server finds what is typed. */
  readonly asked: (text: string) => readonly Query[];
}

export interface Choices {
  readonly options: readonly Option[];
  readonly onSearch?: (text: string) => void;
}

export function useChoices<Row>({ path, query, value, onChange, optionOf, asked }: Choosing<Row>): Choices {
  const first = useResource<Answer<Row>>(path, { query: { ...query, limit: ALL_MOST } });
  const isWhole = first.value?.next === null;
  const here = optionsOf(first.value?.items ?? [], optionOf);
  const [found, setFound] = useState<readonly Option[]>();
  const [text, setText] = useState<string>();
  const chosenRef = useRef<Option>(undefined);
  const known = [...(found ?? here), ...here].find((option) => option.value === value);
  useEffect(() => {
    if (known !== undefined) chosenRef.current = known;
  });

  // Typed before there was anything to choose from.
  useEffect(() => {
    if (!isWhole || text === undefined) return;
    const meant = meantBy(text, here) ?? onlyOne(text, here);
    if (meant !== undefined && meant.value !== value) onChange(meant.value);
    setText(undefined);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when they are there
  }, [isWhole]);

  // One that came with the address and is not among the first.
  const sought = value !== '' && first.ready && !isWhole && known === undefined ? value : text;
  useEffect(() => {
    if (isWhole || sought === undefined || sought.trim() === '') return setFound(undefined);
    const left = new AbortController();
    const ask = async (): Promise<void> => {
      const answers = await Promise.all(
        asked(sought.trim()).map((further) =>
          api.get<Answer<Row>>(path, {
            query: { ...query, ...further, limit: FOUND_MOST },
            signal: left.signal,
          }),
        ),
      );
      if (left.signal.aborted) return;
      const options = optionsOf(
        answers.flatMap((answer) => (answer.ok ? answer.value.items : [])),
        optionOf,
      );
      setFound(options);
      // Typed whole, and left before the answer came.
      const meant = meantBy(sought, options);
      if (meant !== undefined && meant.value !== value) onChange(meant.value);
    };
    const timer = setTimeout(() => void ask(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the others are made anew in every render
  }, [isWhole, sought, path, JSON.stringify(query)]);

  if (isWhole) return { options: here };
  if (!first.ready) return { options: here, onSearch: setText };
  const options = found ?? here;
  const chosen = chosenRef.current;
  // The name of what is chosen stays, whatever is looked for.
  const isSeen = chosen === undefined || chosen.value !== value || options.some((one) => one.value === value);
  return { options: isSeen ? options : [...options, chosen], onSearch: setText };
}

/** Whole: the code, or the name where no two have it. */
function meantBy(text: string, options: readonly Option[]): Option | undefined {
  const wanted = folded(text.trim());
  const named = options.filter(({ label }) => folded(label) === wanted);
  return (
    options.find((option) => folded(option.value) === wanted) ?? (named.length === 1 ? named[0] : undefined)
  );
}

function onlyOne(text: string, options: readonly Option[]): Option | undefined {
  const wanted = folded(text.trim());
  if (wanted === '') return undefined;
  const found = options.filter(({ value, label, hint = '' }) =>
    folded(`${value} ${label} ${hint}`).includes(wanted),
  );
  return found.length === 1 ? found[0] : undefined;
}

function optionsOf<Row>(rows: readonly Row[], optionOf: (row: Row) => Option | undefined): readonly Option[] {
  const options = rows.map(optionOf).filter((option) => option !== undefined);
  return [...new Map(options.map((option) => [option.value, option])).values()];
}
