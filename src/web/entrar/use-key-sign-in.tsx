/** Signs in with an access key. Holds the fields of its two halves and of the profile. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../api/answers.ts';
import { signInWithKey } from '../api/session.ts';
import { type Action, useAction } from '../api/use-action.ts';
import { Input } from '../ui/field.tsx';
import { ProfileChoice } from './profile-choice.tsx';

export interface KeySignIn extends Action<[], Session> {
  readonly fields: JSX.Element;
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
      <ProfileChoice value={perfil} onChange={setPerfil} />
    </>
  );
  return { ...action, fields };
}
