/** Records to choose from by code, name and own code: all at once where they are few, else as the server finds them. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { type Query, queryOf } from '../api/client.ts';
import type { Page } from '../api/pages.ts';
import { pause, useAsking } from '../api/use-asking.ts';
import { useResource } from '../api/use-resource.ts';
import type { Option } from '../ui/select.tsx';
import { folded } from '../words.ts';
import type { Waits } from './waits.ts';

/** A whole page of the largest size would be fetched by whoever only looks. */
const ALL_MOST = 200;
const FOUND_MOST = 50;
const TYPING_MS = 150;

export interface Choosing<Row> {
  readonly path: string;
  readonly query: Query;
  /** The code that is chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly optionOf: (row: Row) => Option | undefined;
  /** The questions by which the server finds what is typed. */
  readonly asked: (text: string) => readonly Query[];
  /** Told while what is typed is looked for. */
  readonly waits: Waits;
}

export interface Choices {
  readonly options: readonly Option[];
  readonly onSearch?: (text: string) => void;
  /** The server has not yet said what it finds: there may be more. */
  readonly pending?: boolean;
}

interface Answered {
  readonly of: string;
  readonly options: readonly Option[];
}

export function useChoices<Row>(choosing: Choosing<Row>): Choices {
  const { path, query, value, onChange, optionOf, asked, waits } = choosing;
  const first = useResource<Page<Row>>(path, { query: { ...query, limit: ALL_MOST } });
  const isWhole = first.value?.next === null;
  const here = optionsOf(first.value?.items ?? [], optionOf);
  const [answered, setAnswered] = useState<Answered>();
  const found = answered?.options;
  const [text, setText] = useState<string>();
  const chosenRef = useRef<Option>(undefined);
  const known = [...(found ?? here), ...here].find((option) => option.value === value);
  // As they are when an answer comes, and not when it was asked for.
  const latestRef = useRef({ value, onChange });
  useLayoutEffect(() => {
    latestRef.current = { value, onChange };
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

  const isTyped = text !== undefined && text.trim() !== '';
  // One that came with the address and is not among the first.
  const isUnknown = value !== '' && first.ready && known === undefined;
  const sought = isTyped ? text : isUnknown ? value : undefined;
  const isSought = !isWhole && sought !== undefined;
  useAsking(isSought ? `${path}${queryOf(query)} ${sought}` : undefined, async (signal) => {
    if (sought === undefined) return;
    await pause(TYPING_MS);
    if (signal.aborted) return;
    const answers = await Promise.all(
      asked(sought.trim()).map((further) =>
        api.get<Page<Row>>(path, { query: { ...query, ...further, limit: FOUND_MOST }, signal }),
      ),
    );
    if (signal.aborted) return;
    const options = optionsOf(
      answers.flatMap((answer) => (answer.ok ? answer.value.items : [])),
      optionOf,
    );
    setAnswered({ of: sought, options });
    // Typed whole, and left before the answer came; another one may have been chosen since.
    const meant = meantBy(sought, options);
    const latest = latestRef.current;
    if (meant !== undefined && latest.value === value && meant.value !== value) latest.onChange(meant.value);
  });

  // What was found for another text is not what is looked for now.
  const pending = isTyped && (first.ready ? answered?.of !== text : first.error === undefined);
  useLayoutEffect(() => {
    waits.set(latestRef, pending);
    return () => waits.set(latestRef, false);
  }, [waits, pending]);

  if (isWhole) return { options: here };
  if (!first.ready) return { options: here, onSearch: setText, pending };
  const options = pending ? fitting(text, [...here, ...(found ?? [])]) : isTyped ? (found ?? []) : here;
  const chosen = known ?? chosenRef.current;
  // The name of what is chosen stays, whatever is looked for.
  const isSeen = chosen === undefined || chosen.value !== value || options.some((one) => one.value === value);
  return { options: isSeen ? options : [...options, chosen], onSearch: setText, pending };
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
  const found = text.trim() === '' ? [] : fitting(text, options);
  return found.length === 1 ? found[0] : undefined;
}

/** Those that contain what is typed, each once. */
function fitting(text: string, options: readonly Option[]): readonly Option[] {
  const wanted = folded(text.trim());
  const found = options.filter(({ value, label, hint = '' }) =>
    folded(`${value} ${label} ${hint}`).includes(wanted),
  );
  return [...new Map(found.map((option) => [option.value, option])).values()];
}

function optionsOf<Row>(rows: readonly Row[], optionOf: (row: Row) => Option | undefined): readonly Option[] {
  const options = rows.map(optionOf).filter((option) => option !== undefined);
  return [...new Map(options.map((option) => [option.value, option])).values()];
}
