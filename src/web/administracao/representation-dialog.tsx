/** Lets a user act for a company. */
import type { JSX } from 'preact';
import type { Company, Representation, User } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { Combobox } from '../ui/combobox.tsx';
import type { Bound } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { companyOptions, userOptions } from '../ui/parties.ts';
import { PROFILE_OPTIONS } from '../words.ts';
import { REPRESENTATIONS } from './words.ts';
import { plainNumber } from './numbers.ts';
import { useNumberCheck } from './use-number-check.ts';

export interface RepresentationDialogProps {
  readonly users: readonly User[];
  readonly companies: readonly Company[];
  readonly onSaved: (representation: Representation) => void;
  readonly onClose: () => void;
}

export const ProfileField = (bound: Bound<string>): JSX.Element => (
  <Select
    label="Perfil"
    options={PROFILE_OPTIONS}
    help="Com IMPEXP o usuário cuida do catálogo da empresa."
    {...bound}
  />
);

export function RepresentationDialog(props: RepresentationDialogProps): JSX.Element {
  const { users, companies, onSaved, onClose } = props;
  const form = useForm({ documento: '', cpfCnpjRaiz: '', perfil: 'IMPEXP' });
  const faultsOf = useNumberCheck();
  const save = async (): Promise<void> => {
    const { documento, cpfCnpjRaiz } = form.values;
    // A known number was checked when it was added.
    const faults = faultsOf([
      ...(users.some((user) => user.documento === plainNumber(documento))
        ? []
        : [{ field: 'documento', kind: 'documento', typed: documento } as const]),
      ...(companies.some((company) => company.cpfCnpjRaiz === plainNumber(cpfCnpjRaiz))
        ? []
        : [{ field: 'cpfCnpjRaiz', kind: 'raiz', typed: cpfCnpjRaiz } as const]),
    ]);
    if (faults.length > 0) return form.refuse(faults);
    const saved = await form.submit((values) =>
      api.post<Representation>(REPRESENTATIONS, {
        documento: plainNumber(values.documento),
        cpfCnpjRaiz: plainNumber(values.cpfCnpjRaiz),
        perfil: values.perfil,
      }),
    );
    if (saved !== undefined) onSaved(saved);
  };
  return (
    <FormDialog title="Nova representação" form={form} onClose={onClose} onSave={save}>
      <Combobox label="Usuário" required free options={userOptions(users)} {...form.field('documento')} />
      <Combobox
        label="CPF/CNPJ raiz"
        required
        free
        options={companyOptions(companies)}
        {...form.field('cpfCnpjRaiz')}
      />
      <ProfileField {...form.field('perfil')} />
    </FormDialog>
  );
}
