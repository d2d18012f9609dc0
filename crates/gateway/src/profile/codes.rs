//! What is said of a profile: the refusals of AS §8, how a provider failed, and what to try.

use holdpoint_check::codes;

codes! {
    /// another provider than those that exist
    LLM_PROFILE_INVALID_PROVIDER: Error, "Choose `openai-compatible`, `system` or `disabled` as the provider.";
    /// a server without an address
    LLM_PROFILE_MISSING_BASE_URL: Error, "Write the address of the server, such as `https://models.example.com/v1`.";
    /// an address that may not be called
    LLM_PROFILE_INVALID_BASE_URL / LONG: Error, "Shorten the address to {limit} characters." [limit];
    LLM_PROFILE_INVALID_BASE_URL / URL_INVALID: Error, "Write the address as `https://host/path`.";
    LLM_PROFILE_INVALID_BASE_URL / URL_SCHEME: Error, "Write an address that begins with `https://`.";
    LLM_PROFILE_INVALID_BASE_URL / URL_CREDENTIALS: Error,
        "Leave name and password out of the address: the key is stored apart.";
    LLM_PROFILE_INVALID_BASE_URL / URL_HAS_QUERY: Error, "Leave `?` and `#` out of the address.";
    LLM_PROFILE_INVALID_BASE_URL / URL_PORT: Error, "Use port 443, or one from 1024 on.";
    LLM_PROFILE_INVALID_BASE_URL / URL_PRIVATE_NAME: Error, "Use a public name: this one is of a private network.";
    LLM_PROFILE_INVALID_BASE_URL / URL_PRIVATE_ADDRESS: Error, "Use a public address: this one is not public.";
    LLM_PROFILE_INVALID_BASE_URL / URL_NO_PUBLIC_ADDRESS: Error,
        "Check the name of the server: it leads to no public address.";
    LLM_PROFILE_INVALID_BASE_URL / URL_METADATA: Error, "Use the address of a provider: this one is never called.";
    LLM_PROFILE_INVALID_BASE_URL / URL_SELF: Error, "Use the address of a provider: this one is our own.";
    /// a server without a model, or with a name that is none
    LLM_PROFILE_MISSING_MODEL: Error, "Name the model as its server does, in 1 to {limit} characters." [limit];
    /// a key that cannot be one
    LLM_PROFILE_INVALID_API_KEY: Error,
        "Send the whole key as its provider gave it: at most {limit} plain characters, not the masked form." [limit];
    /// another server while a key is stored
    LLM_PROFILE_API_KEY_REQUIRED: Error,
        "Send the key for this server too: the stored one belongs to {host} and goes nowhere else." [host];
    /// a wait that cannot be waited
    LLM_PROFILE_INVALID_TIMEOUT: Error, "Write the seconds to wait as a whole number from {least} to {most}." [least, most];
    /// a window that no model has
    LLM_PROFILE_INVALID_CONTEXT_WINDOW: Error,
        "Write the context window as a whole number from {least} to {most}, or leave it out." [least, most];
    /// the organisation allows no such model
    LLM_PROFILE_ORG_POLICY_BLOCKED: Error,
        "Your organisation does not allow this model. Ask whoever runs Holdpoint there, or work without one.";
    /// no key at hand that seals and opens
    LLM_PROFILE_ENCRYPTION_ERROR: Error,
        "Keys can be neither stored nor used here now. Ask whoever runs Holdpoint for an active key.";
    /// something that a call needs is missing, or is not allowed any more
    LLM_PROFILE_INCOMPLETE: Error, "Complete your model: correct its server, its name or its key.";
    /// no model is resolved for the call
    AI_DISABLED: Error, "No model is set up. Enter a server and a key under Your model.";
    AI_DISABLED / CHOSEN_NONE: Error, "No model is used: you chose so. Choose another one under Your model.";
    AI_DISABLED / NO_SYSTEM: Error, "Holdpoint offers no model here. Enter a server and a key under Your model.";
    /// the provider answered with a failure
    AI_PROVIDER_ERROR / STATUS: Error, "The server answered {status}. Look at what it said, then try again." [status];
    AI_PROVIDER_ERROR / REDIRECT: Error, "The server sends calls to another address, which is never followed. Correct its address.";
    AI_PROVIDER_ERROR / TOO_LARGE: Error, "The server's answer was too large and was cut off. Ask for less.";
    AI_PROVIDER_ERROR / UNREADABLE: Error, "The server's answer could not be read. Check that it speaks the OpenAI protocol.";
    /// the provider did not answer in its time
    AI_PROVIDER_TIMEOUT: Error, "The server did not answer in time. Try again, or wait longer for it.";
    /// the server takes no connection
    AI_PROVIDER_UNREACHABLE: Error, "The server cannot be reached. Check its address, then try again.";
    /// more tests than a minute allows
    RATE_LIMITED / TESTS: Error, "At most {most} tests a minute are made. Test again in {seconds} s." [most, seconds];
    /// the test of the model succeeded
    OK / TESTED: Info, "The model answered.";
    OK / AVAILABLE_OWN: Info, "Your own model is used: {model}." [model];
    OK / AVAILABLE_SYSTEM: Info, "Holdpoint's model is used: {model}." [model];
    /// what to try after a test
    LLM_PROFILE_HINT / HINT_KEY: Info, "Replace the key; this one may have been withdrawn.";
    LLM_PROFILE_HINT / HINT_KEY_MISSING: Info, "Enter a key: the server asked for one and got none.";
    LLM_PROFILE_HINT / HINT_KEY_MODEL: Info, "Check that the key may use the model {model}." [model];
    LLM_PROFILE_HINT / HINT_MODEL: Info, "Check how the server writes the name {model}." [model];
    LLM_PROFILE_HINT / HINT_PATH: Info, "Check the path of the address: calls go to {url}." [url];
    LLM_PROFILE_HINT / HINT_QUOTA: Info, "Wait a minute, or look at the account's quota at the provider.";
    LLM_PROFILE_HINT / HINT_LATER: Info, "Test again later: the fault is the server's.";
    LLM_PROFILE_HINT / HINT_TARGET: Info, "Enter the address that the server answers at itself.";
    LLM_PROFILE_HINT / HINT_PROTOCOL: Info, "Check that the server speaks the OpenAI protocol at this address.";
    LLM_PROFILE_HINT / HINT_LONGER: Info, "Raise the seconds to wait, now {seconds}." [seconds];
    LLM_PROFILE_HINT / HINT_LOAD: Info, "Check that the server has loaded the model.";
    LLM_PROFILE_HINT / HINT_HOST: Info, "Check that {host} is spelled right and that the server runs." [host];
    LLM_PROFILE_HINT / HINT_SET_UP: Info, "Choose a server that speaks the OpenAI protocol, and save.";
    LLM_PROFILE_HINT / HINT_POLICY: Info, "Editing, checking and export work without a model.";
    LLM_PROFILE_HINT / HINT_FIELD: Info, "Correct the field, then test again.";
}
