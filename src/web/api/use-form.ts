/** A form: its values, what the server says of each, and where the focus goes when it refuses. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, type Problem, type Result, faultOf } from './result.ts';

/** What a field component takes (`ui/field.tsx`). */
export interface FieldBinding<V> {
  readonly name: string;
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly error: string | undefined;
}

/** Some values, or what makes them of those that stand there by then. */
export type Change<Values> = Partial<Values> | ((before: Values) => Partial<Values>);

export interface Form<Values extends object> {
  readonly values: Values;
  /** Those that stand there by now, drawn or not. */
  readonly latest: () => Values;
  /** `mends`: the places whose problems are answered by it, where these are none of the names. */
  readonly set: (changed: Change<Values>, ...mends: readonly string[]) => void;
  /** Binds a field; its problems are those whose pointer begins with `place` (its name where nothing is said). */
  readonly field: <Name extends keyof Values & string>(
    name: Name,
    place?: string,
  ) => FieldBinding<Values[Name]>;
  /** What is said of a place that no field of `values` has, for instance `atributos/2/valor`. */
  readonly errorAt: (place: string) => string | undefined;
  /** The whole refusal, for an `ErrorAlert` above the form. */
  readonly error: ApiError | undefined;
  readonly busy: boolean;
  readonly changed: boolean;
  /** Back to the values that it began with, and nothing kept. */
  readonly reset: () => void;
  /** For `<form ref>`: the first field in error gets the focus. */
  readonly formRef: { current: HTMLFormElement | null };
  /** Refuses on this side, before anything is sent. */
  readonly refuse: (problems: readonly Problem[]) => void;
  /** Sends; answers the value, or `undefined` when it was refused. Pressed again meanwhile, it sends nothing. */
  readonly submit: <T>(send: (values: Values) => Promise<Result<T>>) => Promise<T | undefined>;
}

export interface FormOptions {
  /**
   * A name for what is typed, under which it is kept in this tab until it is sent: going back, a reload and the end of the
   * session lose nothing. Never for secrets.
   */
  readonly keep?: string;
}

export function useForm<Values extends object>(initial: Values, { keep }: FormOptions = {}): Form<Values> {
  const [kept] = useState(() => (keep === undefined ? undefined : readKept<Values>(keep)));
  const [values, setValues] = useState<Values>({ ...initial, ...kept });
  // What is typed counts from the moment it is typed, drawn or not.
  const valuesRef = useRef(values);
  const sendingRef = useRef(false);
  const [error, setError] = useState<ApiError>();
  const [mended, setMended] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const [changed, setChanged] = useState(kept !== undefined);
  const formRef = useRef<HTMLFormElement>(null);

  // As soon as the fields are drawn with their errors: a moment later it would leave the one that is typed in by then.
  useLayoutEffect(() => {
    if (error === undefined) return;
    const [first] = formRef.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [];
    first?.focus();
  }, [error]);

  const put = (next: Values): void => {
    valuesRef.current = next;
    setValues(next);
  };
  const forget = (): void => {
    setChanged(false);
    if (keep !== undefined) sessionStorage.removeItem(KEPT + keep);
  };

  const errorAt = (place: string): string | undefined => {
    const about = error?.problems.filter((problem) => isAt(problem.field ?? problem.place, place)) ?? [];
    return about.length === 0 || mended.includes(place)
      ? undefined
      : about.map(({ message }) => message).join(' ');
  };
  const set = (change: Change<Values>, ...mends: readonly string[]): void => {
    const before = valuesRef.current;
    const some = typeof change === 'function' ? change(before) : change;
    put({ ...before, ...some });
    if (keep !== undefined) sessionStorage.setItem(KEPT + keep, JSON.stringify(valuesRef.current));
    setMended((before) => [...before, ...Object.keys(some), ...mends]);
    setChanged(true);
  };
  const show = (refusal: ApiError): void => {
    setMended([]);
    setError(refusal);
  };
  return {
    latest: () => valuesRef.current,
    values,
    set,
    errorAt,
    error,
    busy,
    changed,
    formRef,
    field: (name, place = name) => ({
      name,
      value: values[name],
      onChange: (value) => set({ [name]: value } as unknown as Partial<Values>), // one member of Values, under its name
      error: mended.includes(name) ? undefined : errorAt(place),
    }),
    reset: () => {
      put(initial);
      setError(undefined);
      forget();
    },
    refuse: (problems) => show(refusalOf(problems)),
    submit: async (send) => {
      if (sendingRef.current) return undefined;
      sendingRef.current = true;
      setBusy(true);
      const answer = await send(valuesRef.current).finally(() => {
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

/** What is wrong on this side, before anything is sent. */
export const refusalOf = (problems: readonly Problem[]): ApiError => ({
  ...faultOf('Corrija os campos indicados.'),
  problems,
});

const KEPT = 'catp.form.';

function readKept<Values>(keep: string): Values | undefined {
  const text = sessionStorage.getItem(KEPT + keep);
  return text === null ? undefined : (JSON.parse(text) as Values); // Only `useForm` writes it, under the name of one form.
}

const isAt = (of: string, place: string): boolean => of === place || of.startsWith(`${place}/`);
