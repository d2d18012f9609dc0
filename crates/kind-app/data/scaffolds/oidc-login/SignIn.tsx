import { useEffect, useState } from 'react';
import { finishSignIn, type SignedIn, signIn } from './oidc';

/** One answer of the provider is taken once, however often the page is drawn. */
let finishing: Promise<SignedIn | undefined> | undefined;

/** A button to sign in with; behind it, who did. */
export function SignIn({ onSignedIn }: { onSignedIn?: (person: SignedIn) => void }) {
  const [person, setPerson] = useState<SignedIn>();
  const [problem, setProblem] = useState('');

  useEffect(() => {
    let gone = false;
    finishing ??= finishSignIn();
    finishing.then(
      (found) => {
        if (gone || !found) return;
        setPerson(found);
        onSignedIn?.(found);
      },
      (cause: unknown) => {
        if (!gone) setProblem(cause instanceof Error ? cause.message : String(cause));
      },
    );
    return () => {
      gone = true;
    };
  }, [onSignedIn]);

  const begin = () => {
    setProblem('');
    signIn().catch((cause: unknown) => setProblem(cause instanceof Error ? cause.message : String(cause)));
  };

  if (person) return <p>Signed in as {person.name}</p>;
  return (
    <div>
      <button type="button" onClick={begin}>
        Sign in
      </button>
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}
