/**
 * Creates a complete access in one dialog: user, represented companies, key. Each has its own operation, in
 * this order. After a refusal the dialog reports what was created and continues from the failed step.
 */
import { useRef, useState } from 'preact/hooks';
import type { Company, NewAccessKey, User } from '../api/answers.ts';
import { DEFAULT_RIGHT, type Right } from '../../right.ts';
import type { ApiError, Result } from '../api/result.ts';
import { useForm } from '../api/use-form.ts';
import { Fields, type FieldSpec, useFieldFaults } from '../kit/record-list/fields.tsx';
import { Notice } from '../ui/alert.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { companyOptions } from '../ui/company-options.ts';
import { toast } from '../ui/toast.tsx';
import { numberText } from '../words.ts';
import {
  DOCUMENT_FIELD,
  LAST_DAY_FIELD,
  NO_USER,
  PROFILE_FIELD,
  RIGHT_FIELD,
  sendKey,
  sendRepresentation,
  sendUser,
  USER_FIELDS,
  type UserValues,
} from './kinds.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { plainNumber } from './numbers.ts';

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
  readonly papel: Right;
  readonly expiresAt: string;
};

interface Step {
  /** Name of the created item, as reported. */
  readonly name: string;
  readonly send: () => Promise<Result<unknown>>;
}

export function AccessDialog({ users, companies, onChanged, onClose }: AccessDialogProps) {
  const form = useForm<Values>({
    ...NO_USER,
    raizes: [],
    perfil: 'IMPEXP',
    papel: DEFAULT_RIGHT,
    expiresAt: '',
  });
  const faultsOf = useFieldFaults<Values>();
  const [doneSteps, setDoneSteps] = useState<readonly string[]>([]);
  const doneStepsRef = useRef(doneSteps);
  const [key, setKey] = useState<NewAccessKey>();
  const number = plainNumber(form.values.documento);
  const user = users.find(({ documento }) => documento === number);
  const fields = fieldsFor(user, companies);

  const stepsOf = (values: Values): readonly Step[] => [
    ...(user === undefined ? [{ name: `usuário ${values.nome.trim()}`, send: () => sendUser(values) }] : []),
    ...values.raizes.map((cpfCnpjRaiz) => ({
      name: `representação de ${numberText(cpfCnpjRaiz)}`,
      send: () => sendRepresentation(number, cpfCnpjRaiz, values),
    })),
  ];
  const send = async (values: Values): Promise<Result<NewAccessKey>> => {
    for (const { name, send: create } of stepsOf(values)) {
      if (doneStepsRef.current.includes(name)) continue;
      const answer = await create();
      if (!answer.ok) return { ok: false, error: atFields(answer.error) };
      doneStepsRef.current = [...doneStepsRef.current, name];
      setDoneSteps(doneStepsRef.current);
    }
    return sendKey(number, values);
  };
  const save = async (): Promise<void> => {
    const isStarted = doneStepsRef.current.length > 0;
    const faults = faultsOf(
      fields.filter(({ fixed }) => !isStarted || fixed !== true),
      form.latest(),
    );
    if (faults.length > 0) return form.refuse(faults);
    const created = await form.submit(send);
    if (created !== undefined || doneStepsRef.current.length > 0) onChanged();
    setKey(created);
  };
  const leave = (): void => {
    if (doneSteps.length > 0) toast(`Ficou feito: ${doneSteps.join('; ')}. Falta a chave.`);
    onClose();
  };

  if (key !== undefined)
    return (
      <NewKeyDialog {...key} onClose={onClose}>
        <p>
          <bdi>{user?.nome ?? form.values.nome}</bdi> entra com esta chave.{' '}
          {doneSteps.length > 0 && `Feito: ${doneSteps.join('; ')}.`}
        </p>
      </NewKeyDialog>
    );
  return (
    <FormDialog
      title="Dar acesso a uma pessoa"
      action={doneSteps.length > 0 ? 'Continuar' : 'Dar acesso'}
      form={form}
      onClose={leave}
      onSave={save}
    >
      {doneSteps.length > 0 && (
        <Notice tone="calm">
          Já feito: {doneSteps.join('; ')}. Corrija o que falta e continue: nada é feito duas vezes.
        </Notice>
      )}
      <Fields form={form} fields={fields} isNew={doneSteps.length === 0} />
    </FormDialog>
  );
}

/** Returns the fields of the dialog. An existing `user` needs only the number. */
const fieldsFor = (user: User | undefined, companies: readonly Company[]): readonly FieldSpec<Values>[] => [
  user === undefined
    ? DOCUMENT_FIELD
    : { ...DOCUMENT_FIELD, help: `Já é usuário: ${user.nome}.`, faultOf: () => undefined },
  // `Values` contains the values of a user.
  ...(user === undefined ? (USER_FIELDS as readonly FieldSpec<Values>[]) : []),
  {
    name: 'raizes',
    label: 'Empresas que representa',
    kind: 'records',
    help: 'Nenhuma, para quem só administra ou só lê como agente público.',
    options: companyOptions(companies),
  },
  { ...PROFILE_FIELD, isVisible: ({ raizes }) => raizes.length > 0 },
  { ...RIGHT_FIELD, isVisible: ({ raizes, perfil }) => raizes.length > 0 && perfil === 'IMPEXP' },
  LAST_DAY_FIELD,
];

/** Moves problems of a company to the companies field. */
const atFields = (error: ApiError): ApiError => ({
  ...error,
  problems: error.problems.map((problem) =>
    problem.place === 'cpfCnpjRaiz' ? { ...problem, field: 'raizes' } : problem,
  ),
});
