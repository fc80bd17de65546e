/**
 * Offers records to choose by code, name and own code. A short list is loaded whole; a long one is searched
 * on the server.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { type Query, queryOf } from '../api/client.ts';
import type { Page } from '../api/pages.ts';
import { pause, useAsking } from '../api/use-asking.ts';
import { useResource } from '../api/use-resource.ts';
import type { Option } from '../ui/select.tsx';
import { folded } from '../words.ts';
import type { Waits } from './waits.ts';

/**
 * Number of records in the first load. A page of the largest size would be wasteful for a user who only
 * reads.
 */
const ALL_MOST = 200;
const FOUND_MOST = 50;
const TYPING_MS = 150;

export interface Choosing<Row> {
  readonly path: string;
  readonly query: Query;
  /** The selected code. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly optionOf: (row: Row) => Option | undefined;
  /** Returns the queries by which the server finds a typed text. */
  readonly asked: (text: string) => readonly Query[];
  /** Notified while a typed text is looked up. */
  readonly waits: Waits;
}

export interface Choices {
  readonly options: readonly Option[];
  readonly onSearch?: (text: string) => void;
  /** True until the server answers: more options may follow. */
  readonly pending?: boolean;
}

interface Answered {
  readonly of: string;
  readonly options: readonly Option[];
}

export function useChoices<Row>(choosing: Choosing<Row>): Choices {
  const { path, query, value, onChange, optionOf, asked: queriesFor, waits } = choosing;
  const first = useResource<Page<Row>>(path, { query: { ...query, limit: ALL_MOST } });
  const isWhole = first.value?.next === null;
  const firstOptions = optionsOf(first.value?.items ?? [], optionOf);
  const [answered, setAnswered] = useState<Answered>();
  const answerOptions = answered?.options;
  const [text, setText] = useState<string>();
  const chosenRef = useRef<Option>(undefined);
  const currentOption = [...(answerOptions ?? firstOptions), ...firstOptions].find(
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
    if (!isWhole || text === undefined) return;
    const match = meantBy(text, firstOptions) ?? onlyOne(text, firstOptions);
    if (match !== undefined && match.value !== value) onChange(match.value);
    setText(undefined);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when they are loaded
  }, [isWhole]);

  const isTyped = text !== undefined && text.trim() !== '';
  // The address may name a record that is not among the first ones.
  const isUnknown = value !== '' && first.ready && currentOption === undefined;
  const sought = isTyped ? text : isUnknown ? value : undefined;
  const isSought = !isWhole && sought !== undefined;
  useAsking(isSought ? `${path}${queryOf(query)} ${sought}` : undefined, async (signal) => {
    if (sought === undefined) return;
    await pause(TYPING_MS);
    if (signal.aborted) return;
    const answers = await Promise.all(
      queriesFor(sought.trim()).map((further) =>
        api.get<Page<Row>>(path, { query: { ...query, ...further, limit: FOUND_MOST }, signal }),
      ),
    );
    if (signal.aborted) return;
    const options = optionsOf(
      answers.flatMap((answer) => (answer.ok ? answer.value.items : [])),
      optionOf,
    );
    setAnswered({ of: sought, options });
    // The text was typed whole and the field left before the answer; the selection may have changed since.
    const match = meantBy(sought, options);
    const latest = latestRef.current;
    if (match !== undefined && latest.value === value && match.value !== value) latest.onChange(match.value);
  });

  // Results for another text do not count for the current one.
  const pending = isTyped && (first.ready ? answered?.of !== text : first.error === undefined);
  useLayoutEffect(() => {
    waits.set(latestRef, pending);
    return () => waits.set(latestRef, false);
  }, [waits, pending]);

  if (isWhole) return { options: firstOptions };
  if (!first.ready) return { options: firstOptions, onSearch: setText, pending };
  const options = pending
    ? fitting(text, [...firstOptions, ...(answerOptions ?? [])])
    : isTyped
      ? (answerOptions ?? [])
      : firstOptions;
  const chosen = currentOption ?? chosenRef.current;
  // The name of the selected record stays during any search.
  const isSeen = chosen === undefined || chosen.value !== value || options.some((one) => one.value === value);
  return { options: isSeen ? options : [...options, chosen], onSearch: setText, pending };
}

/** Returns the option whose code, or unique name, equals the text. */
function meantBy(text: string, options: readonly Option[]): Option | undefined {
  const wanted = folded(text.trim());
  const named = options.filter(({ label }) => folded(label) === wanted);
  return (
    options.find((option) => folded(option.value) === wanted) ?? (named.length === 1 ? named[0] : undefined)
  );
}

function onlyOne(text: string, options: readonly Option[]): Option | undefined {
  const matches = text.trim() === '' ? [] : fitting(text, options);
  return matches.length === 1 ? matches[0] : undefined;
}

/** Returns the options that contain the text, each once. */
function fitting(text: string, options: readonly Option[]): readonly Option[] {
  const wanted = folded(text.trim());
  const matches = options.filter(({ value, label, hint = '' }) =>
    folded(`${value} ${label} ${hint}`).includes(wanted),
  );
  return [...new Map(matches.map((option) => [option.value, option])).values()];
}

function optionsOf<Row>(rows: readonly Row[], optionOf: (row: Row) => Option | undefined): readonly Option[] {
  const options = rows.map(optionOf).filter((option) => option !== undefined);
  return [...new Map(options.map((option) => [option.value, option])).values()];
}
