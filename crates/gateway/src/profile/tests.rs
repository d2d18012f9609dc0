//! What ai-sessions.md §8 says of a profile, row by row.
#![allow(clippy::needless_pass_by_value)] // a table's cells are written in place

use holdpoint_check::ApiError;
use serde_json::{Value, json};

use super::*;
use crate::cipher::{Keys, Secret};

const ACCOUNT: &str = "acme";

fn rules() -> AddressRules {
    AddressRules { allow_private: false, own_hosts: vec!["holdpoint.example.com".to_owned()] }
}

fn keys() -> Keys {
    let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    Keys::read(Some(&format!(r#"{{"k1":"{key}"}}"#)), Some("k1")).unwrap()
}

fn body(change: Value) -> Value {
    let mut body = json!({"provider": "openai-compatible", "baseUrl": "https://llm.example.com/v1", "model": "m-1"});
    body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    body
}

fn refusal(change: Value) -> String {
    match read(&body(change), &rules()) {
        Ok(_) => "OK".to_owned(),
        Err(error) => {
            let code = error.details.get("code").and_then(Value::as_str).unwrap_or_default();
            format!("{} {} {} {code}", error.status, error.code, error.details["pointer"].as_str().unwrap())
        }
    }
}

fn unset() -> ModelProfile {
    ModelProfile::unset("llm_1", "ann", 5)
}

fn save(profile: &ModelProfile, change: Value) -> Result<ModelProfile, ApiError> {
    let wanted = read(&body(change), &rules())?.sealed(Some(&keys()), [1; 12], &profile.place(ACCOUNT))?;
    profile.saved(&wanted, 7)
}

fn system() -> System {
    System { alias: "default".to_owned(), display: "Standard".to_owned(), context_window: 200_000, openai: true }
}

fn said(result: &Result<Resolved, ApiError>) -> String {
    match result {
        Ok(Resolved::Own(own)) => format!("own {}", own.model),
        Ok(Resolved::System(system)) => format!("system {}", system.alias),
        Err(error) => format!("{} {}", error.status, error.code),
    }
}

#[test]
fn every_member_is_refused_with_its_code() {
    let cases = [
        (json!({}), "OK"),
        (json!({"provider": "openai"}), "400 LLM_PROFILE_INVALID_PROVIDER /provider "),
        (json!({"provider": 1}), "400 LLM_PROFILE_INVALID_PROVIDER /provider "),
        (json!({"provider": null}), "400 LLM_PROFILE_INVALID_PROVIDER /provider "),
        (json!({"baseUrl": null}), "400 LLM_PROFILE_MISSING_BASE_URL /baseUrl "),
        (json!({"baseUrl": ""}), "400 LLM_PROFILE_MISSING_BASE_URL /baseUrl "),
        (json!({"baseUrl": 7}), "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_INVALID"),
        (json!({"baseUrl": "llm.example.com"}), "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_INVALID"),
        (json!({"baseUrl": "http://llm.example.com"}), "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_SCHEME"),
        (
            json!({"baseUrl": "https://a:b@llm.example.com"}),
            "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_CREDENTIALS",
        ),
        (json!({"baseUrl": "https://llm.example.com/?a"}), "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_HAS_QUERY"),
        (json!({"baseUrl": "https://llm.example.com:25"}), "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_PORT"),
        (json!({"baseUrl": "https://llm.internal"}), "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_PRIVATE_NAME"),
        (json!({"baseUrl": "https://0x7f.1"}), "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_PRIVATE_ADDRESS"),
        (json!({"baseUrl": "https://169.254.169.254"}), "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_METADATA"),
        (json!({"baseUrl": "https://holdpoint.example.com"}), "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_SELF"),
        (json!({"baseUrl": format!("https://llm.example.com/{}", "a".repeat(476))}), "OK"),
        (
            json!({"baseUrl": format!("https://llm.example.com/{}", "a".repeat(477))}),
            "400 LLM_PROFILE_INVALID_BASE_URL /baseUrl URL_INVALID",
        ),
        (json!({"model": null}), "400 LLM_PROFILE_MISSING_MODEL /model "),
        (json!({"model": "  "}), "400 LLM_PROFILE_MISSING_MODEL /model "),
        (json!({"model": 4}), "400 LLM_PROFILE_MISSING_MODEL /model "),
        (json!({"model": "a\nb"}), "400 LLM_PROFILE_MISSING_MODEL /model "),
        (json!({"model": "m".repeat(200)}), "OK"),
        (json!({"model": "m".repeat(201)}), "400 LLM_PROFILE_MISSING_MODEL /model "),
        (json!({"apiKey": "sk-1"}), "OK"),
        (json!({"apiKey": null}), "OK"),
        (json!({"apiKey": ""}), "OK"),
        (json!({"apiKey": "k".repeat(1_000)}), "OK"),
        (json!({"apiKey": "k".repeat(1_001)}), "400 LLM_PROFILE_INVALID_API_KEY /apiKey "),
        (json!({"apiKey": "sk-***4b7e"}), "400 LLM_PROFILE_INVALID_API_KEY /apiKey "),
        (json!({"apiKey": "sk-ä"}), "400 LLM_PROFILE_INVALID_API_KEY /apiKey "),
        (json!({"apiKey": "sk-1\n"}), "400 LLM_PROFILE_INVALID_API_KEY /apiKey "),
        (json!({"apiKey": "   "}), "400 LLM_PROFILE_INVALID_API_KEY /apiKey "),
        (json!({"apiKey": 5}), "400 LLM_PROFILE_INVALID_API_KEY /apiKey "),
        (json!({"timeoutSeconds": 1}), "OK"),
        (json!({"timeoutSeconds": 600}), "OK"),
        (json!({"timeoutSeconds": null}), "OK"),
        (json!({"timeoutSeconds": 0}), "400 LLM_PROFILE_INVALID_TIMEOUT /timeoutSeconds "),
        (json!({"timeoutSeconds": 601}), "400 LLM_PROFILE_INVALID_TIMEOUT /timeoutSeconds "),
        (json!({"timeoutSeconds": 1.5}), "400 LLM_PROFILE_INVALID_TIMEOUT /timeoutSeconds "),
        (json!({"timeoutSeconds": "60"}), "400 LLM_PROFILE_INVALID_TIMEOUT /timeoutSeconds "),
        (json!({"timeoutSeconds": true}), "400 LLM_PROFILE_INVALID_TIMEOUT /timeoutSeconds "),
        (json!({"contextWindow": 1_024}), "OK"),
        (json!({"contextWindow": 10_000_000}), "OK"),
        (json!({"contextWindow": null}), "OK"),
        (json!({"contextWindow": 1_023}), "400 LLM_PROFILE_INVALID_CONTEXT_WINDOW /contextWindow "),
        (json!({"contextWindow": 10_000_001}), "400 LLM_PROFILE_INVALID_CONTEXT_WINDOW /contextWindow "),
        (json!({"contextWindow": "16000"}), "400 LLM_PROFILE_INVALID_CONTEXT_WINDOW /contextWindow "),
        (json!({"provider": "disabled", "baseUrl": null, "model": null}), "OK"),
        (json!({"unknown": {"a": 1}}), "OK"),
    ];
    for (change, want) in cases {
        assert_eq!(refusal(change.clone()), want, "{change}");
    }
}

#[test]
fn what_is_left_out_has_its_value() {
    let wanted = read(&body(json!({"baseUrl": "https://llm.example.com/v1//"})), &rules()).unwrap();
    assert_eq!((wanted.timeout_seconds, wanted.context_window, wanted.key), (60, None, KeyChange::Keep));
    assert_eq!(wanted.base_url.as_deref(), Some("https://llm.example.com/v1"));
}

#[test]
fn a_key_stays_is_cleared_or_is_another_one() {
    let with_key = save(&unset(), json!({"apiKey": "sk-abcdefghijkl4b7e"})).unwrap();
    let key = with_key.key.clone().unwrap();
    assert_eq!((key.masked.as_str(), key.origin.as_str()), ("sk-***4b7e", "https://llm.example.com"));
    let place = with_key.place(ACCOUNT);
    assert_eq!(keys().open(&key.sealed, &place), Ok(Secret::new("sk-abcdefghijkl4b7e")));

    assert_eq!(save(&with_key, json!({})).unwrap().key, Some(key.clone()));
    assert_eq!(save(&with_key, json!({"apiKey": null})).unwrap().key, None);
    assert_eq!(save(&with_key, json!({"apiKey": ""})).unwrap().key, None);
    assert_ne!(save(&with_key, json!({"apiKey": "sk-2"})).unwrap().key, Some(key));
}

#[test]
fn a_stored_key_never_goes_to_another_origin() {
    let with_key = save(&unset(), json!({"apiKey": "sk-1"})).unwrap();
    let elsewhere =
        ["https://other.example.com/v1", "https://llm.example.com:8443/v1", "https://llm.example.com.evil.com"];
    for base_url in elsewhere {
        let error = save(&with_key, json!({"baseUrl": base_url})).unwrap_err();
        assert_eq!((error.code.as_str(), error.status), ("LLM_PROFILE_API_KEY_REQUIRED", 400), "{base_url}");
        assert_eq!(error.args["host"], "llm.example.com");
        assert!(save(&with_key, json!({"baseUrl": base_url, "apiKey": "sk-2"})).is_ok());
        assert_eq!(save(&with_key, json!({"baseUrl": base_url, "apiKey": null})).unwrap().key, None);
    }
    for same in ["https://llm.example.com/other", "https://LLM.example.com:443/v1"] {
        assert!(save(&with_key, json!({"baseUrl": same})).unwrap().key.is_some(), "{same}");
    }
    // Switched off and emptied, then on again elsewhere.
    let off = save(&with_key, json!({"provider": "disabled", "baseUrl": null, "model": null})).unwrap();
    assert!(off.key.is_some());
    let error = save(&off, json!({"baseUrl": "https://other.example.com/v1"})).unwrap_err();
    assert_eq!(error.code, "LLM_PROFILE_API_KEY_REQUIRED");
    assert!(save(&off, json!({})).unwrap().key.is_some());
}

#[test]
fn without_an_active_key_no_key_is_stored_or_used() {
    let wanted = read(&body(json!({"apiKey": "sk-1"})), &rules()).unwrap();
    let error = wanted.sealed(None, [1; 12], &unset().place(ACCOUNT)).unwrap_err();
    assert_eq!((error.code.as_str(), error.status), ("LLM_PROFILE_ENCRYPTION_ERROR", 500));
    let without = read(&body(json!({})), &rules()).unwrap();
    assert!(without.sealed(None, [1; 12], &unset().place(ACCOUNT)).is_ok());

    let with_key = save(&unset(), json!({"apiKey": "sk-1"})).unwrap();
    let addresses = rules();
    let ground = Ground { policy: Policy::AllowAll, system: None, addresses: &addresses, secrets: false };
    assert_eq!(said(&resolve(&with_key, &ground)), "500 LLM_PROFILE_ENCRYPTION_ERROR");
}

#[test]
fn the_order_of_resolution() {
    let own = || save(&unset(), json!({})).unwrap();
    let off = || save(&unset(), json!({"provider": "disabled"})).unwrap();
    let theirs = || save(&own(), json!({"provider": "system"})).unwrap();
    let cases = [
        // policy, profile, whether the platform gives a model -> what a call uses; profile, system
        (Policy::AllowAll, unset(), true, "system default", ProfileUse::Off, ProfileUse::Used),
        (Policy::AllowAll, unset(), false, "403 AI_DISABLED", ProfileUse::Off, ProfileUse::Off),
        (Policy::AllowAll, own(), true, "own m-1", ProfileUse::Used, ProfileUse::Ready),
        (Policy::AllowAll, own(), false, "own m-1", ProfileUse::Used, ProfileUse::Off),
        (Policy::AllowAll, off(), true, "403 AI_DISABLED", ProfileUse::Off, ProfileUse::Ready),
        (Policy::AllowAll, theirs(), true, "system default", ProfileUse::Ready, ProfileUse::Used),
        (Policy::AllowAll, theirs(), false, "403 AI_DISABLED", ProfileUse::Ready, ProfileUse::Off),
        (Policy::AllowOpenaiCompatibleOnly, theirs(), true, "system default", ProfileUse::Ready, ProfileUse::Used),
        (
            Policy::DisableAll,
            theirs(),
            true,
            "403 LLM_PROFILE_ORG_POLICY_BLOCKED",
            ProfileUse::Ready,
            ProfileUse::Blocked,
        ),
        (Policy::AllowOpenaiCompatibleOnly, own(), true, "own m-1", ProfileUse::Used, ProfileUse::Ready),
        (Policy::AllowOpenaiCompatibleOnly, unset(), true, "system default", ProfileUse::Off, ProfileUse::Used),
        (
            Policy::DisableAll,
            own(),
            true,
            "403 LLM_PROFILE_ORG_POLICY_BLOCKED",
            ProfileUse::Blocked,
            ProfileUse::Blocked,
        ),
        (Policy::DisableAll, unset(), true, "403 LLM_PROFILE_ORG_POLICY_BLOCKED", ProfileUse::Off, ProfileUse::Blocked),
        (Policy::DisableAll, unset(), false, "403 AI_DISABLED", ProfileUse::Off, ProfileUse::Off),
        (Policy::DisableAll, off(), true, "403 AI_DISABLED", ProfileUse::Off, ProfileUse::Blocked),
    ];
    let (addresses, system) = (rules(), system());
    for (policy, profile, given, want, own, platform) in cases {
        let ground = Ground { policy, system: given.then_some(&system), addresses: &addresses, secrets: true };
        let resolved = resolve(&profile, &ground);
        let shown = view(&profile, &ground);
        assert_eq!(said(&resolved), want, "{policy:?} {profile:?}");
        assert_eq!((shown.resolution.profile, shown.resolution.system), (own, platform), "{policy:?} {want}");
        assert_eq!(shown.effective_availability.available, resolved.is_ok());
        let code = resolved.map_or_else(|error| error.code, |_| "OK".to_owned());
        assert_eq!(shown.effective_availability.code, code);
    }
}

#[test]
fn each_of_the_three_choices_leads_to_each_other() {
    let (addresses, system) = (rules(), system());
    let ground = Ground { policy: Policy::AllowAll, system: Some(&system), addresses: &addresses, secrets: true };
    let choices = [("openai-compatible", "own m-1"), ("system", "system default"), ("disabled", "403 AI_DISABLED")];
    for (from, _) in choices {
        for (to, want) in choices {
            let before = save(&unset(), json!({"provider": from, "apiKey": "sk-1"})).unwrap();
            let after = save(&before, json!({"provider": to})).unwrap();
            assert_eq!(said(&resolve(&after, &ground)), want, "{from} {to}");
            let shown = serde_json::to_value(view(&after, &ground)).unwrap();
            assert_eq!((shown["provider"].as_str(), shown["savedAt"].is_string()), (Some(to), true), "{from} {to}");
            assert_eq!(after.key, before.key, "the key stays for the way back");
        }
    }
}

#[test]
fn a_choice_without_an_own_server_is_saved_over_an_address_that_may_no_longer_be_called() {
    let stale = "http://127.0.0.1:8080/v1";
    for provider in ["system", "disabled"] {
        let chosen = body(json!({"provider": provider, "baseUrl": stale}));
        assert_eq!(read_over(&chosen, &rules(), Some(stale)).unwrap().base_url.as_deref(), Some(stale));
        assert!(read_over(&chosen, &rules(), Some("http://127.0.0.1:9090/v1")).is_err(), "another one is judged");
    }
    assert!(read_over(&body(json!({"baseUrl": stale})), &rules(), Some(stale)).is_err(), "it would be called");
}

#[test]
fn the_words_say_which_model_is_used() {
    let (addresses, system) = (rules(), system());
    let ground = |system| Ground { policy: Policy::AllowAll, system, addresses: &addresses, secrets: true };
    let own = save(&unset(), json!({})).unwrap();
    let (theirs, none) =
        (save(&own, json!({"provider": "system"})).unwrap(), save(&own, json!({"provider": "disabled"})).unwrap());
    let cases = [
        (&own, Some(&system), "Your own model is used: m-1."),
        (&theirs, Some(&system), "Holdpoint's model is used: Standard."),
        (&unset(), Some(&system), "Holdpoint's model is used: Standard."),
        (&none, Some(&system), "No model is used: you chose so. Choose another one under Your model."),
        (&theirs, None, "Holdpoint offers no model here. Enter a server and a key under Your model."),
        (&unset(), None, "No model is set up. Enter a server and a key under Your model."),
    ];
    for (profile, given, want) in cases {
        assert_eq!(view(profile, &ground(given)).effective_availability.message, want);
    }
}

#[test]
fn a_word_that_is_no_policy_allows_nothing() {
    let words = [None, Some("allow-all"), Some("allow-openai-compatible-only"), Some("disable-all"), Some("alow-all")];
    let read = words.map(|word| Policy::read(word).name());
    assert_eq!(read, ["allow-all", "allow-all", "allow-openai-compatible-only", "disable-all", "disable-all"]);
    let blocks = Ground {
        policy: Policy::AllowOpenaiCompatibleOnly,
        system: Some(&System { openai: false, ..system() }),
        addresses: &rules(),
        secrets: true,
    };
    assert_eq!(said(&resolve(&unset(), &blocks)), "403 LLM_PROFILE_ORG_POLICY_BLOCKED");
}

#[test]
fn an_address_is_judged_again_at_every_call() {
    let development = AddressRules { allow_private: true, own_hosts: Vec::new() };
    let wanted = read(&body(json!({"baseUrl": "http://127.0.0.1:8080/v1"})), &development).unwrap();
    let profile = unset().saved(&wanted.sealed(None, [1; 12], &unset().place(ACCOUNT)).unwrap(), 7).unwrap();
    let ground = |addresses| Ground { policy: Policy::AllowAll, system: None, addresses, secrets: true };
    assert_eq!(said(&resolve(&profile, &ground(&development))), "own m-1");
    let strict = rules();
    assert_eq!(said(&resolve(&profile, &ground(&strict))), "400 LLM_PROFILE_INVALID_BASE_URL");
    assert_eq!(view(&profile, &ground(&strict)).effective_availability.code, "LLM_PROFILE_INCOMPLETE");
    let incomplete = ModelProfile { model: None, ..profile };
    assert_eq!(said(&resolve(&incomplete, &ground(&development))), "400 LLM_PROFILE_INCOMPLETE");
}

#[test]
fn a_profile_shows_its_key_masked_only() {
    let profile = save(&unset(), json!({"apiKey": "sk-abcdefghijkl4b7e", "contextWindow": 16_000})).unwrap();
    let tested = ModelProfile { health: Health::Failed, last_tested_at: Some(1_770_552_000_000), ..profile };
    let addresses = rules();
    let ground = Ground { policy: Policy::AllowAll, system: None, addresses: &addresses, secrets: true };
    let shown = serde_json::to_value(view(&tested, &ground)).unwrap();
    let want = json!({
        "provider": "openai-compatible", "baseUrl": "https://llm.example.com/v1", "model": "m-1",
        "apiKeyMasked": "sk-***4b7e", "apiKeyOrigin": "https://llm.example.com", "timeoutSeconds": 60,
        "contextWindow": 16_000, "healthStatus": "failed", "lastTestedAt": "2026-02-08T12:00:00Z",
        "savedAt": "1970-01-01T00:00:00Z",
        "effectiveAvailability":
            {"available": true, "code": "OK", "message": "Your own model is used: m-1.",
             "args": {"case": "AVAILABLE_OWN", "model": "m-1"}},
        "resolution": {"policy": "allow-all", "profile": "used", "system": "off", "systemModel": null},
    });
    assert_eq!(shown, want);
    let bare = serde_json::to_value(view(&unset(), &ground)).unwrap();
    assert_eq!(
        (&bare["apiKeyMasked"], &bare["savedAt"], &bare["provider"]),
        (&Value::Null, &Value::Null, &json!("disabled"))
    );
}

#[test]
fn a_relays_refusal_is_said_in_the_words_of_a_turn() {
    let cases = [
        ("BYOK_KEY_REJECTED", json!({"upstream_status": 401}), "502 AI_PROVIDER_ERROR STATUS"),
        ("UPSTREAM_RATE_LIMITED", json!({"upstream_status": 429}), "502 AI_PROVIDER_ERROR STATUS"),
        ("UPSTREAM_ERROR", json!({"upstream_status": 500}), "502 AI_PROVIDER_ERROR STATUS"),
        ("UPSTREAM_ERROR", json!({}), "502 AI_PROVIDER_ERROR UNREADABLE"),
        ("UPSTREAM_BAD_REQUEST", json!({"upstream_status": 404}), "502 AI_PROVIDER_ERROR STATUS"),
        ("UPSTREAM_REDIRECT", json!({"upstream_status": 302}), "502 AI_PROVIDER_ERROR REDIRECT"),
        ("UPSTREAM_TOO_LARGE", json!({}), "502 AI_PROVIDER_ERROR TOO_LARGE"),
        ("UPSTREAM_STREAM_CUT", json!({}), "502 AI_PROVIDER_ERROR UNREADABLE"),
        ("UPSTREAM_TIMEOUT", json!({}), "504 AI_PROVIDER_TIMEOUT "),
        ("UPSTREAM_STALLED", json!({}), "504 AI_PROVIDER_TIMEOUT "),
        ("UPSTREAM_UNREACHABLE", json!({}), "502 AI_PROVIDER_UNREACHABLE "),
        ("BUDGET_EXCEEDED", json!({}), "none"),
        ("LEDGER_UNAVAILABLE", json!({}), "none"),
        ("NO_SUCH_CODE", json!({}), "none"),
    ];
    for (code, details, want) in cases {
        let told = told(code, details.as_object().unwrap());
        let told = told.map_or("none".to_owned(), |error| {
            format!(
                "{} {} {}",
                error.status,
                error.code,
                error.args.get("case").and_then(Value::as_str).unwrap_or_default()
            )
        });
        assert_eq!(told, want, "{code} {details}");
    }
    let blocked = rules().check("https://10.0.0.1").unwrap_err();
    let told = told("MODEL_NOT_ALLOWED", because(&blocked).as_object().unwrap());
    assert_eq!(told, Some(blocked));
}

#[test]
fn a_providers_words_are_redacted_and_cut() {
    let cases = [
        (r#"{"error":{"message":"Incorrect API key provided: sk-own"}}"#, "Incorrect API key provided: ***REDACTED***"),
        (r#"{"error":"no such\r\nmodel"}"#, "no such model"),
        (r#"{"message":"quota"}"#, "quota"),
        ("<html> Bad \u{7} gateway </html>", "<html> Bad gateway </html>"),
        ("Bearer abcdefghijklmnopqrstuvwxyz", "Bearer ***REDACTED***"),
        ("", ""),
    ];
    for (words, want) in cases {
        assert_eq!(super::said(words, Some("sk-own")), want, "{words}");
    }
    let spelled = [
        r#"{"error":{"message":"no key \u0061/b\"c"}}"#,
        r#"{"error":{"message":"no key a\/b\"c"}}"#,
        r#"{"error":{"message":"no key a\/b\"c"},"cut":"#,
        r#"{"error":{"message":"no key a/b\"c"},"cut":"#,
        r#"no key a/b"c"#,
    ];
    for words in spelled {
        let said = super::said(words, Some("a/b\"c"));
        assert!(said.contains("no key ***REDACTED***"), "{words}: {said}");
    }
    assert_eq!(super::said("a key in RED", Some("RED")), "a key in ***REDACTED***", "the marker is not a place of it");
    let turned = super::said("{\"message\":\"Paid\u{202e}diap toN\u{2066}\"}", None);
    assert_eq!(turned, "Paid diap toN");
    // A key that no rule would know, also where it is split over the cut.
    let long = format!("{}my own key{}", "a".repeat(295), "b".repeat(400));
    let cut = super::said(&long, Some("my own key"));
    assert_eq!((cut.chars().count(), cut.contains("my")), (300, false));
}

#[test]
fn a_failed_test_always_says_what_to_try() {
    let own = Own {
        base_url: "https://llm.example.com:8443/v1".to_owned(),
        model: "m-1".to_owned(),
        key: save(&unset(), json!({"apiKey": "sk-1"})).unwrap().key,
        timeout_seconds: 9,
        context_window: None,
    };
    let failed = |code: &str, status: Option<u64>, own: &Own| {
        let details = status.map_or(json!({}), |status| json!({"upstream_status": status, "upstream": "no"}));
        Trial::failed(&told(code, details.as_object().unwrap()).unwrap(), Some(own))
    };
    let keyless = Own { key: None, ..own.clone() };
    let cases = [
        (failed("BYOK_KEY_REJECTED", Some(401), &own), "HINT_KEY HINT_KEY_MODEL"),
        (failed("BYOK_KEY_REJECTED", Some(401), &keyless), "HINT_KEY_MISSING"),
        (failed("UPSTREAM_RATE_LIMITED", Some(429), &own), "HINT_QUOTA"),
        (failed("UPSTREAM_BAD_REQUEST", Some(404), &own), "HINT_MODEL HINT_PATH"),
        (failed("UPSTREAM_ERROR", Some(503), &own), "HINT_LATER"),
        (failed("UPSTREAM_REDIRECT", Some(302), &own), "HINT_TARGET"),
        (failed("UPSTREAM_PROTOCOL_ERROR", None, &own), "HINT_PROTOCOL HINT_PATH"),
        (failed("UPSTREAM_TIMEOUT", None, &own), "HINT_LONGER HINT_LOAD"),
        (failed("UPSTREAM_UNREACHABLE", None, &own), "HINT_HOST"),
        (Trial::failed(&disabled(), None), "HINT_SET_UP"),
        (Trial::failed(&rules().check("https://10.0.0.1").unwrap_err(), None), "HINT_FIELD"),
    ];
    for (trial, want) in cases {
        let cases: Vec<&str> = trial.hints.iter().map(|hint| hint.args["case"].as_str().unwrap()).collect();
        assert_eq!((cases.join(" ").as_str(), trial.ok), (want, false), "{:?}", trial.told);
    }
    let host = failed("UPSTREAM_UNREACHABLE", None, &own).hints.remove(0);
    assert_eq!(host.message, "Check that llm.example.com:8443 is spelled right and that the server runs.");
    let said = failed("BYOK_KEY_REJECTED", Some(401), &own).said;
    assert_eq!(said, Some(ProviderWords { status: 401, text: "no".to_owned() }));
    assert!(Trial::good().ok && Trial::good().hints.is_empty());
}

fn disabled() -> ApiError {
    let addresses = rules();
    resolve(&unset(), &Ground { policy: Policy::AllowAll, system: None, addresses: &addresses, secrets: true })
        .unwrap_err()
}
