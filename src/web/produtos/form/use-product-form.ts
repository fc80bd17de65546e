/** State of the product form: values, requirements and button actions. */
import { useEffect, useState } from 'preact/hooks';
import type { Deadline, Product, ProductForm } from '../../api/answers.ts';
import { useDeadlines } from '../../deadline/use-deadlines.ts';
import { type AttributeLists, type Modalidade, NO_LISTS } from '../../../catalogue/attribute/words/model.ts';
import { type Form, useForm } from '../../api/use-form.ts';
import { problemsOf, withProblems } from './check.ts';
import { type FormContext, fieldsOf, filledLists } from './fields.ts';
import { type FormValues, type Saved, listsIn, withoutEmpty } from './form-values.ts';
import { type Saving, type Subject, proposeProduct, send } from './send.ts';
import { type NcmRequirements, useNcm } from './use-ncm.ts';
import { PRODUCT_PAGES } from '../product.ts';
import { type NewerVersionsState, useNewer } from '../../versions/use-newer.ts';

export interface ProductFormOptions {
  readonly subject: Subject;
  readonly rules: ProductForm;
  readonly initial: FormValues;
  /** Product to start from. */
  readonly from: Product | undefined;
  readonly showProblems?: boolean;
  readonly onSaved: (saved: Saved) => void;
  /** Called with the import that waits for a decision. */
  readonly onProposed: (id: number) => void;
}

export interface ProductFormState {
  readonly form: Form<FormValues>;
  readonly requirements: NcmRequirements;
  /** Context of the attribute rules, once NCM and modality are set. */
  readonly context: FormContext | undefined;
  /** Future requirements for such products. */
  readonly deadlines: readonly Deadline[];
  /** Attributes that are sent unchanged because no definition is available. */
  readonly keptLists: AttributeLists;
  /** True when unsent values were restored from this tab. */
  readonly isRestored: boolean;
  /** Changes that others saved in the meantime. */
  readonly newer: NewerVersionsState;
  readonly startAgain: () => void;
  readonly save: (saving: Saving) => void;
  readonly saving: Saving | undefined;
}

export function useProductForm(options: ProductFormOptions): ProductFormState {
  const { subject, rules, initial, from, showProblems = false, onSaved, onProposed } = options;
  const { cpfCnpjRaiz, mode, codigo = '', versao = '' } = subject;
  const form = useForm<FormValues>(initial, {
    storageKey: ['produto', cpfCnpjRaiz, mode, codigo, versao].join('-'),
  });
  const [isRestored, setRestored] = useState(form.changed);
  const requirements = useNcm(form.values.ncm, rules);
  const { modalidade } = form.values;
  const { prepared } = requirements;
  const deadlines = useDeadlines(
    prepared === undefined ? undefined : { cpfCnpjRaiz, ncm: prepared.ncm },
  ).filter((deadline) => [deadline.modalidade, 'AMBOS'].includes(modalidade));
  const context =
    prepared === undefined || modalidade === ''
      ? undefined
      : {
          prepared,
          day: rules.today,
          modalidade: modalidade as Modalidade, // the server offers no other modality
          coming: new Set(deadlines.flatMap(({ codigo }) => codigo ?? [])),
        };
  const keptLists = from === undefined ? NO_LISTS : listsIn(from);

  const newer = useNewer(
    mode === 'versao' || mode === 'retificar'
      ? {
          recordName: 'Este produto',
          versao,
          rectifies: mode === 'retificar',
          path: `${PRODUCT_PAGES}/${cpfCnpjRaiz}/${codigo}/versions`,
        }
      : undefined,
  );

  const [sending, setSending] = useState<Saving>();
  const [waiting, setWaiting] = useState<Saving | 'problems' | undefined>(
    showProblems ? 'problems' : undefined,
  );
  // The requirements of the NCM may still be loading.
  useEffect(() => {
    if (waiting === undefined || requirements.isLoading) return;
    setWaiting(undefined);
    if (waiting !== 'problems') return void perform(waiting);
    const { problems } = checkedValues();
    if (problems.length > 0) form.refuse(problems);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the callback is created again in each render
  }, [waiting, requirements.isLoading]);

  /** Returns the values to send and the problems that the client can detect. */
  function checkedValues() {
    const typed = form.latest();
    const values = { ...typed, attributes: withoutEmpty(typed.attributes) };
    const { attributes } = values;
    const lists = context === undefined ? keptLists : filledLists(fieldsOf(context, attributes), attributes);
    return { values, lists, problems: problemsOf(values, lists, context) };
  }

  async function perform(saving: Saving): Promise<void> {
    const { values, lists, problems } = checkedValues();
    // Problem pointers count the sent groups, so the screen shows exactly those.
    if (form.changed) form.set({ attributes: values.attributes });
    setSending(saving);
    // The request is sent anyway: the refusal of the server has a code and a tag, and the server decides.
    if (saving === 'propose') {
      const proposed = await form
        .submit(async () => {
          const answer = await newer.unlessWritten(() => proposeProduct(subject, values, lists));
          return withProblems(answer, problems);
        })
        .finally(() => setSending(undefined));
      if (proposed !== undefined) onProposed(proposed.id);
      return;
    }
    const saved = await form
      .submit(async () => {
        const answer = await newer.unlessWritten(() => send(saving, subject, values, lists));
        return saving === 'draft' ? answer : withProblems(answer, problems);
      })
      .finally(() => setSending(undefined));
    if (saved !== undefined) onSaved(saved);
  }

  return {
    form,
    requirements,
    context,
    deadlines,
    keptLists,
    isRestored,
    newer,
    startAgain: () => {
      form.reset();
      setRestored(false);
    },
    save: (saving) => {
      if (sending !== undefined || waiting !== undefined) return;
      if (requirements.isLoading) setWaiting(saving);
      else void perform(saving);
    },
    saving: sending ?? (waiting === 'problems' ? undefined : waiting),
  };
}
