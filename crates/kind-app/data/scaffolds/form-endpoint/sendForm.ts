/** Where forms are sent: the settings of the app go before what stands here. */
const ENDPOINT: string = import.meta.env.VITE_FORM_URL ?? __endpoint__;

/** Sends the fields of a form as JSON, and throws where they were not taken. */
export async function sendForm(fields: Record<string, string>): Promise<void> {
  const answer = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (!answer.ok) throw new Error(`The form was not taken (${answer.status}).`);
}
