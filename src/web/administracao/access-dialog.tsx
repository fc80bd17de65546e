/**
 * Creates a complete access in one dialog: user, represented companies, key. Each has its own operation, in
 * this order. After a refusal the dialog reports what was created and continues from the failed step.
 */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Company, NewAccessKey, User } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { ApiError, Result } from '../api/result.ts';
import { useForm } from '../api/use-form.ts';
import { Notice } from '../ui/alert.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { companyOptions } from '../ui/parties.ts';
import { Several } from '../ui/several.tsx';
import { toast } from '../ui/toast.tsx';
import { numberText } from '../words.ts';
import { LastDayField, lastDayFaults, MadeKey, sendKey } from './key-dialog.tsx';
import { plainNumber } from './numbers.ts';
import { ProfileField } from './representation-dialog.tsx';
import { useNumberCheck } from './use-number-check.ts';
import { NO_USER, sendUser, UserFields, type UserValues } from './user-dialog.tsx';
import { REPRESENTATIONS } from './words.ts';

export interface AccessDialogProps {
  readonly users: readonly User[];
  readonly companies: readonly Company[];
  /** Called when something was created. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

type Values = UserValues & {
  readonly raizes: readonly string[];
  readonly perfil: string;
  readonly expiresAt: string;
};

interface Step {
  /** Name of the created item, as reported. */
  readonly what: string;
  readonly send: () => Promise<Result<unknown>>;
}

export function AccessDialog(props: AccessDialogProps): JSX.Element {
  const { users, companies, onChanged, onClose } = props;
  const form = useForm<Values>({ ...NO_USER, raizes: [], perfil: 'IMPEXP', expiresAt: '' });
  const faultsOf = useNumberCheck();
  const [made, setMade] = useState<readonly string[]>([]);
  const madeRef = useRef(made);
  const [key, setKey] = useState<NewAccessKey>();
  const number = plainNumber(form.values.documento);
  const known = users.find(({ documento }) => documento === number);

  const stepsOf = (values: Values): readonly Step[] => [
    ...(known === undefined ? [{ what: `usuário ${values.nome.trim()}`, send: () => sendUser(values) }] : []),
    ...values.raizes.map((cpfCnpjRaiz) => ({
      what: `representação de ${numberText(cpfCnpjRaiz)}`,
      send: () => api.post(REPRESENTATIONS, { documento: number, cpfCnpjRaiz, perfil: values.perfil }),
    })),
  ];
  const send = async (values: Values): Promise<Result<NewAccessKey>> => {
    for (const { what, send: make } of stepsOf(values)) {
      if (madeRef.current.includes(what)) continue;
      const answer = await make();
      if (!answer.ok) return { ok: false, error: atFields(answer.error) };
      madeRef.current = [...madeRef.current, what];
      setMade(madeRef.current);
    }
    return sendKey(values);
  };
  const save = async (): Promise<void> => {
    const { documento, expiresAt } = form.values;
    const isJudged = known !== undefined || made.length > 0;
    const faults = [
      ...(isJudged ? [] : faultsOf([{ field: 'documento', kind: 'documento', typed: documento }])),
      ...lastDayFaults(expiresAt),
    ];
    if (faults.length > 0) return form.refuse(faults);
    const done = await form.submit(send);
    if (madeRef.current.length > 0) onChanged();
    if (done === undefined) return;
    onChanged();
    setKey(done);
  };
  const leave = (): void => {
    if (made.length > 0) toast(`Ficou feito: ${made.join('; ')}. Falta a chave.`);
    onClose();
  };

  if (key !== undefined)
    return (
      <MadeKey {...key} onClose={onClose}>
        <p>
          <bdi>{known?.nome ?? form.values.nome}</bdi> entra com esta chave.{' '}
          {made.length > 0 && `Feito: ${made.join('; ')}.`}
        </p>
      </MadeKey>
    );
  return (
    <FormDialog
      title="Dar acesso a uma pessoa"
      action={made.length > 0 ? 'Continuar' : 'Dar acesso'}
      form={form}
      onClose={leave}
      onSave={save}
    >
      {made.length > 0 && (
        <Notice tone="calm">
          Já feito: {made.join('; ')}. Corrija o que falta e continue: nada é feito duas vezes.
        </Notice>
      )}
      <UserFields form={form} known={known} isNew={made.length === 0} />
      <Several
        label="Empresas que representa"
        help="Nenhuma, para quem só administra ou só lê como agente público."
        options={companyOptions(companies)}
        value={form.values.raizes}
        error={form.errorAt('raizes')}
        onChange={(change) => form.set(({ raizes }) => ({ raizes: change(raizes) }))}
      />
      {form.values.raizes.length > 0 && <ProfileField {...form.field('perfil')} />}
      <LastDayField {...form.field('expiresAt')} />
    </FormDialog>
  );
}

/** Moves problems of a company to the companies field. */
const atFields = (error: ApiError): ApiError => ({
  ...error,
  problems: error.problems.map((problem) =>
    problem.place === 'cpfCnpjRaiz' ? { ...problem, field: 'raizes' } : problem,
  ),
});
