import { type FormEvent, useId, useState } from 'react';
import { sendForm } from './sendForm';

const TITLE: string = __title__;
const THANKS: string = __thanks__;

type Step = 'writing' | 'sending' | 'sent';

/** A form with name, address and message. */
export function ContactForm() {
  const [step, setStep] = useState<Step>('writing');
  const [problem, setProblem] = useState('');
  const id = useId();

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields: Record<string, string> = {};
    for (const [name, value] of new FormData(event.currentTarget)) {
      if (typeof value === 'string') fields[name] = value;
    }
    setStep('sending');
    setProblem('');
    try {
      await sendForm(fields);
      setStep('sent');
    } catch (cause) {
      setProblem(cause instanceof Error ? cause.message : String(cause));
      setStep('writing');
    }
  }

  if (step === 'sent') return <p role="status">{THANKS}</p>;
  return (
    <form onSubmit={send} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{TITLE}</h2>
      <p>
        <label htmlFor={`${id}-name`}>Name</label>
        <input id={`${id}-name`} name="name" autoComplete="name" required />
      </p>
      <p>
        <label htmlFor={`${id}-email`}>Email</label>
        <input id={`${id}-email`} name="email" type="email" autoComplete="email" required />
      </p>
      <p>
        <label htmlFor={`${id}-message`}>Message</label>
        <textarea id={`${id}-message`} name="message" rows={6} required />
      </p>
      <button type="submit" disabled={step === 'sending'}>
        {step === 'sending' ? 'Sending' : 'Send'}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
