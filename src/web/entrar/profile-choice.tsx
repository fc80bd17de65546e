/** Choice of the profile of a sign-in, closed at first: nearly everybody uses the profile of the catalogue. */
import { Select } from '../ui/select.tsx';
import { PROFILE_OPTIONS, PROFILES } from '../words.ts';

export const ProfileChoice = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (profile: string) => void;
}) => (
  <details>
    <summary>
      Perfil: {value}, {PROFILES[value]}
    </summary>
    <Select
      label="Perfil"
      name="perfil"
      value={value}
      onChange={onChange}
      options={PROFILE_OPTIONS}
      help="Só o IMPEXP cuida do catálogo. Escolha outro se a sua representação é nele."
    />
  </details>
);
