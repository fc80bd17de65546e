/** Form state: values, problems that the server reports, and the focus after a refusal. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { searchesDone } from './pending-searches.ts';
import { type ApiError, type Problem, type Result, faultOf } from './result.ts';

/** Properties of a field component (`ui/field.tsx`). */
export interface FieldBinding<V> {
  readonly name: string;
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly error: string | undefined;
}

/** New values, or a function that computes them from the latest ones. */
export type Change<Values> = Partial<Values> | ((before: Values) => Partial<Values>);

export interface Form<Values extends object> {
  readonly values: Values;
  /** Returns the latest values, rendered or not. */
  readonly latest: () => Values;
  /** `resolvedPlaces`: further places whose problems the change resolves. */
  readonly set: (changed: Change<Values>, ...resolvedPlaces: readonly string[]) => void;
  /** Binds a field. Its problems are those whose pointer begins with `place`, which defaults to the name. */
  readonly field: <Name extends keyof Values & string>(
    name: Name,
    place?: string,
  ) => FieldBinding<Values[Name]>;
  /** Returns the message for a place without a field in `values`, for instance `atributos/2/valor`. */
  readonly errorAt: (place: string) => string | undefined;
  /** Whole refusal, for an `ErrorAlert` above the form. */
  readonly error: ApiError | undefined;
  readonly isBusy: boolean;
  readonly changed: boolean;
  /** Restores the initial values and removes the stored ones. */
  readonly reset: () => void;
  /** For `<form ref>`: the first invalid field gets the focus. */
  readonly formRef: { current: HTMLFormElement | null };
  /** Shows client-side problems instead of sending. */
  readonly refuse: (problems: readonly Problem[]) => void;
  /**
   * Sends the values once no lookup is pending. Returns the result, or `undefined` after a refusal. A
   * second call is ignored while one is running.
   */
  readonly submit: <T>(send: (values: Values) => Promise<Result<T>>) => Promise<T | undefined>;
}

export interface FormOptions {
  /**
   * Storage key of the typed values in this tab until they are sent. They survive navigation, a reload and
   * the end of the session. Never use it for secrets.
   */
  readonly storageKey?: string;
}

export function useForm<Values extends object>(
  initial: Values,
  { storageKey }: FormOptions = {},
): Form<Values> {
  const [storedValues] = useState(() =>
    storageKey === undefined ? undefined : storedValuesAt<Values>(storageKey),
  );
  const [values, setValues] = useState<Values>({ ...initial, ...storedValues });
  // Typed values count immediately, before the next render.
  const valuesRef = useRef(values);
  const sendingRef = useRef(false);
  const [error, setError] = useState<ApiError>();
  const [clearedPlaces, setClearedPlaces] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [changed, setChanged] = useState(storedValues !== undefined);
  const formRef = useRef<HTMLFormElement>(null);

  // Runs in the render that shows the errors: later it could take the focus from a field in use.
  useLayoutEffect(() => {
    if (error === undefined) return;
    const [first] = formRef.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [];
    first?.focus();
  }, [error]);

  const setAll = (next: Values): void => {
    valuesRef.current = next;
    setValues(next);
  };
  const forget = (): void => {
    setChanged(false);
    if (storageKey !== undefined) sessionStorage.removeItem(KEY_PREFIX + storageKey);
  };

  const errorAt = (place: string): string | undefined => {
    const about = error?.problems.filter((problem) => isPlaceOf(problem.field ?? problem.place, place)) ?? [];
    return about.length === 0 || clearedPlaces.includes(place)
      ? undefined
      : about.map(({ message }) => message).join(' ');
  };
  const set = (change: Change<Values>, ...resolvedPlaces: readonly string[]): void => {
    const before = valuesRef.current;
    const changes = typeof change === 'function' ? change(before) : change;
    setAll({ ...before, ...changes });
    if (storageKey !== undefined)
      sessionStorage.setItem(KEY_PREFIX + storageKey, JSON.stringify(valuesRef.current));
    setClearedPlaces((before) => [...before, ...Object.keys(changes), ...resolvedPlaces]);
    setChanged(true);
  };
  const show = (refusal: ApiError): void => {
    setClearedPlaces([]);
    setError(refusal);
  };
  return {
    latest: () => valuesRef.current,
    values,
    set,
    errorAt,
    error,
    isBusy,
    changed,
    formRef,
    field: (name, place = name) => ({
      name,
      value: values[name],
      onChange: (value) => set({ [name]: value } as unknown as Partial<Values>), // one member of Values, under its name
      error: clearedPlaces.includes(name) ? undefined : errorAt(place),
    }),
    reset: () => {
      setAll(initial);
      setError(undefined);
      forget();
    },
    refuse: (problems) => show(refusalOf(problems)),
    submit: async (send) => {
      if (sendingRef.current) return undefined;
      sendingRef.current = true;
      setBusy(true);
      const answer = await searchesDone()
        .then(() => send(valuesRef.current))
        .finally(() => {
          sendingRef.current = false;
          setBusy(false);
        });
      if (!answer.ok) {
        show(answer.error);
        return undefined;
      }
      setError(undefined);
      forget();
      return answer.value;
    },
  };
}

/** Returns the error for client-side problems. */
export const refusalOf = (problems: readonly Problem[]): ApiError => ({
  ...faultOf('Corrija os campos indicados.'),
  problems,
});

const KEY_PREFIX = 'catp.form.';

function storedValuesAt<Values>(storageKey: string): Values | undefined {
  const text = sessionStorage.getItem(KEY_PREFIX + storageKey);
  return text === null ? undefined : (JSON.parse(text) as Values); // Only `useForm` writes it, with one key per form.
}

const isPlaceOf = (problemPlace: string, place: string): boolean =>
  problemPlace === place || problemPlace.startsWith(`${place}/`);
