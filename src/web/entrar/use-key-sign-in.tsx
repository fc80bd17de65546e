/** Signs in with an access key. Holds the fields of its two halves and of the profile. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../api/answers.ts';
import { signInWithKey } from '../api/session.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { Input } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { PROFILE_OPTIONS, PROFILES } from '../words.ts';

export interface KeySignIn extends Action<[], Session> {
  readonly fields: JSX.Element;
  readonly perfil: string;
}

/** `preset`: both halves of the key, when they are known. */
export function useKeySignIn(preset = '', onIn?: () => void): KeySignIn {
  const [clientId, setClientId] = useState(preset);
  const [clientSecret, setClientSecret] = useState(preset);
  const [perfil, setPerfil] = useState('IMPEXP');
  const action = useAction(() => signInWithKey(clientId.trim(), clientSecret, perfil), onIn);
  const fields = (
    <>
      <Input
        label="Client-Id"
        name="clientId"
        code
        autocomplete="username"
        required
        value={clientId}
        onChange={setClientId}
      />
      <Input
        label="Client-Secret"
        name="clientSecret"
        type="password"
        required
        autocomplete="current-password"
        value={clientSecret}
        onChange={setClientSecret}
      />
      <details>
        <summary>
          Perfil: {perfil}, {PROFILES[perfil]}
        </summary>
        <Select
          label="Perfil"
          name="perfil"
          value={perfil}
          onChange={setPerfil}
          options={PROFILE_OPTIONS}
          help="Só o IMPEXP cuida do catálogo. Escolha outro se a sua representação é nele."
        />
      </details>
    </>
  );
  return { ...action, fields, perfil };
}
