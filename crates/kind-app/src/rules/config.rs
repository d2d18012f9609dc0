//! The Vite configuration, read and never run (spec: vite-app.md §5.3, §8).
//!
//! Why: what the bundler does to a project must be known before it runs, so the configuration is a literal or it is
//! refused.

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, Range, args, codes};
use holdpoint_js::tree::GetSpan;
use holdpoint_js::tree::ast::{
    ArrayExpressionElement, ArrowFunctionBody, BindingPattern, Declaration, ExportDefaultDeclarationKind, Expression,
    ObjectExpression, ObjectProperty, ObjectPropertyKind, Program, PropertyKey, Statement,
};
use holdpoint_js::{SourceFile, read_source};

use super::build::BUILD_CONFIG_UNUSABLE;
use super::{css, package};
use crate::alias::Alias;
use crate::code::{dialect, plain};
use crate::resolve::join;

codes! {
    /// there is no Vite configuration
    VITE_CONFIG_MISSING: Error, "Add `vite.config.ts` with `base: './'`.";
    /// another configuration is the one used
    VITE_CONFIG_DUPLICATE: Error, "Keep one configuration: `{used}` is the one that is used." [used];
    /// the configuration is no object literal
    VITE_CONFIG_UNREADABLE: Error, "Export one object literal, without spread and computed keys.";
    /// `base` is absent or not relative
    VITE_BASE_NOT_RELATIVE: Error, "Write `base: './'`: an app is served from a folder.";
    /// a member that moves input, output or environment
    VITE_CONFIG_KEY_FORBIDDEN: Error, "Leave `{name}` as it is by default." [name];
}

/// Names in the order in which Vite looks for them.
const CANDIDATES: [&str; 6] =
    ["vite.config.js", "vite.config.mjs", "vite.config.ts", "vite.config.cjs", "vite.config.mts", "vite.config.cts"];
const DEFAULT: &str = "vite.config.ts";
/// Constants that are followed one through another.
const MAX_HOPS: usize = 32;

/// What the configuration says, and its faults.
#[derive(Debug, Default)]
pub struct Config {
    pub findings: Vec<Diagnostic>,
    pub aliases: Vec<Alias>,
    /// Aliases cannot be read: whatever looks like one is accepted.
    pub any_alias: bool,
    /// It may load kinds of files that the bundler does not know by itself.
    pub loads_more: bool,
    /// Whether `paths` of `tsconfig.json` count as aliases.
    pub reads_paths: bool,
}

pub fn check(files: &Files) -> Config {
    let mut there = CANDIDATES.into_iter().filter(|name| files.contains_key(*name));
    let Some(used) = there.next() else {
        let finding = Diagnostic::of(&VITE_CONFIG_MISSING, args! {}).in_file(DEFAULT);
        return Config { findings: vec![finding], ..Config::default() };
    };
    // A text that does not parse is reported where all code is.
    let is_rolldown = css::is_strict(package::read(files.get(package::PATH).map(String::as_str)).as_ref());
    let read = |source: &SourceFile<'_>| read(source, is_rolldown);
    let mut config = read_source(&files[used], dialect(used), read).unwrap_or_default();
    config.findings = config.findings.into_iter().map(|one| one.in_file(used)).collect();
    config.findings.extend(there.map(|name| Diagnostic::of(&VITE_CONFIG_DUPLICATE, args! { used }).in_file(name)));
    config
}

fn read(source: &SourceFile<'_>, is_rolldown: bool) -> Config {
    let reader = ConfigReader { source, program: source.program, is_rolldown };
    let mut config = Config::default();
    let root = reader.exported().and_then(|expression| reader.object(expression)).filter(|object| is_plain(object));
    let Some(root) = root else {
        config.findings.push(Diagnostic::of(&VITE_CONFIG_UNREADABLE, args! {}));
        config.any_alias = true;
        config.loads_more = true;
        return config;
    };
    config.loads_more = property(root, "assetsInclude").is_some() || !reader.has_plain_plugins(root);
    reader.base(root, &mut config);
    reader.forbidden(root, &mut config);
    reader.aliases(root, &mut config);
    config
}

/// Without spread and computed keys.
fn is_plain(object: &ObjectExpression<'_>) -> bool {
    object.properties.iter().all(|property| match property {
        ObjectPropertyKind::ObjectProperty(own) => !own.computed && key(own).is_some(),
        ObjectPropertyKind::SpreadProperty(_) => false,
    })
}

pub fn key(property: &ObjectProperty<'_>) -> Option<String> {
    match &property.key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.as_str().to_owned()),
        PropertyKey::StringLiteral(text) => Some(text.value.as_str().to_owned()),
        PropertyKey::NumericLiteral(number) => Some(number.value.to_string()),
        _ => None,
    }
}

pub fn property<'o, 'a>(object: &'o ObjectExpression<'a>, name: &str) -> Option<&'o ObjectProperty<'a>> {
    object.properties.iter().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(own) if key(own).as_deref() == Some(name) => Some(&**own),
        _ => None,
    })
}

/// What finds the literals behind the names of a configuration.
pub struct ConfigReader<'s, 'a> {
    pub source: &'s SourceFile<'a>,
    pub program: &'a Program<'a>,
    /// The bundler is Rolldown, as since Vite 8.
    pub is_rolldown: bool,
}

impl<'a> ConfigReader<'_, 'a> {
    /// The value of `export default` or `module.exports =`.
    pub fn exported(&self) -> Option<&'a Expression<'a>> {
        self.program.body.iter().find_map(|statement| match statement {
            Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    returned(function.body.as_ref()?.statements.as_slice())
                }
                other => other.as_expression(),
            },
            Statement::TSExportAssignment(export) => Some(&export.expression),
            Statement::ExpressionStatement(statement) => match &statement.expression {
                Expression::AssignmentExpression(assignment) => {
                    let target = self.source.text(assignment.left.span());
                    (target == "module.exports").then_some(&assignment.right)
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// The place where the file assigns `module.exports`.
    pub fn assigned_exports(&self) -> Option<Range> {
        self.program.body.iter().find_map(|statement| match statement {
            Statement::ExpressionStatement(statement) => match &statement.expression {
                Expression::AssignmentExpression(own) => {
                    let span = own.left.span();
                    (self.source.text(span) == "module.exports").then(|| self.source.range(span))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// The value of a constant of the file.
    fn constant(&self, name: &str) -> Option<&'a Expression<'a>> {
        let declared = |declaration: &'a Declaration<'a>| match declaration {
            Declaration::VariableDeclaration(own) => Some(&**own),
            _ => None,
        };
        let variables = self.program.body.iter().filter_map(|statement| match statement {
            Statement::VariableDeclaration(own) => Some(&**own),
            Statement::ExportDeclaration(export) => declared(&export.declaration),
            _ => None,
        });
        variables.filter(|own| own.kind.is_const()).flat_map(|own| own.declarations.iter()).find_map(|one| {
            match &one.id {
                BindingPattern::BindingIdentifier(own) if own.name == name => one.init.as_ref(),
                _ => None,
            }
        })
    }

    /// What an expression is behind constants and types.
    pub fn value(&self, expression: &'a Expression<'a>) -> &'a Expression<'a> {
        let mut inner = plain(expression);
        for _ in 0..MAX_HOPS {
            let Expression::Identifier(name) = inner else { break };
            let Some(next) = self.constant(name.name.as_str()) else { break };
            inner = plain(next);
        }
        inner
    }

    /// The literal that an expression is, also through `defineConfig` and functions with one return.
    pub fn object(&self, expression: &'a Expression<'a>) -> Option<&'a ObjectExpression<'a>> {
        let mut inner = self.value(expression);
        for _ in 0..MAX_HOPS {
            let next = match inner {
                Expression::ObjectExpression(object) => return Some(object),
                Expression::CallExpression(call) => {
                    let is_define =
                        matches!(plain(&call.callee), Expression::Identifier(name) if name.name == "defineConfig");
                    call.arguments.first().filter(|_| is_define)?.as_expression()?
                }
                Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
                    ArrowFunctionBody::FunctionBody(body) => returned(body.statements.as_slice())?,
                    other => other.as_expression()?,
                },
                Expression::FunctionExpression(function) => returned(function.body.as_ref()?.statements.as_slice())?,
                _ => return None,
            };
            inner = self.value(next);
        }
        None
    }

    /// A text; templates without holes too.
    fn text(&self, expression: &'a Expression<'a>) -> Option<String> {
        match self.value(expression) {
            Expression::StringLiteral(text) => Some(text.value.as_str().to_owned()),
            Expression::TemplateLiteral(template) => match template.quasis.as_slice() {
                [only] => only.value.cooked.as_ref().map(|text| text.as_str().to_owned()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether every plugin is a call of an import, as those of packages are.
    fn has_plain_plugins(&self, root: &'a ObjectExpression<'a>) -> bool {
        let Some(own) = property(root, "plugins") else { return true };
        let Expression::ArrayExpression(list) = self.value(&own.value) else { return false };
        list.elements.iter().all(|element| {
            let call = element.as_expression().map(plain);
            let Some(Expression::CallExpression(call)) = call else { return false };
            let imported = |name: &str| {
                self.program.body.iter().any(|statement| {
                    matches!(statement, Statement::ImportDeclaration(import)
                        if import.specifiers.iter().flatten().any(|one| one.local().name == name))
                })
            };
            matches!(plain(&call.callee), Expression::Identifier(name) if imported(name.name.as_str()))
        })
    }

    fn range(&self, property: &ObjectProperty<'_>) -> Range {
        self.source.range(property.span)
    }

    fn base(&self, root: &'a ObjectExpression<'a>, config: &mut Config) {
        let own = property(root, "base");
        let text = own.and_then(|own| self.text(&own.value));
        if matches!(text.as_deref(), Some("./" | "")) {
            return;
        }
        let finding = Diagnostic::of(&VITE_BASE_NOT_RELATIVE, args! {});
        config.findings.push(match own {
            Some(own) => finding.at(self.range(own)),
            None => finding,
        });
    }

    fn forbidden(&self, root: &'a ObjectExpression<'a>, config: &mut Config) {
        let mut refuse = |own: &ObjectProperty<'_>, name: &str| {
            config.findings.push(Diagnostic::of(&VITE_CONFIG_KEY_FORBIDDEN, args! { name }).at(self.range(own)));
        };
        if let Some(own) = property(root, "root")
            && !matches!(self.text(&own.value).as_deref(), Some("." | "./"))
        {
            refuse(own, "root");
        }
        if let Some(own) = property(root, "publicDir") {
            let is_off = matches!(self.value(&own.value), Expression::BooleanLiteral(value) if !value.value);
            if !is_off && self.text(&own.value).as_deref() != Some("public") {
                refuse(own, "publicDir");
            }
        }
        if let Some(own) = property(root, "envDir") {
            refuse(own, "envDir");
        }
        if let Some(own) = property(root, "envPrefix")
            && !self.are_prefixes(&own.value)
        {
            refuse(own, "envPrefix");
        }
        let Some(own) = property(root, "build") else { return };
        let Some(build) = self.object(&own.value).filter(|object| is_plain(object)) else {
            config.findings.push(Diagnostic::of(&VITE_CONFIG_UNREADABLE, args! {}).at(self.range(own)));
            return;
        };
        if let Some(own) = property(build, "outDir")
            && self.text(&own.value).as_deref() != Some("dist")
        {
            refuse(own, "build.outDir");
        }
        for name in ["lib", "ssr", "write"] {
            if let Some(own) = property(build, name) {
                refuse(own, &format!("build.{name}"));
            }
        }
        self.unusable(build, config);
    }

    /// Tools that no project has, and a form that the bundler does not take.
    fn unusable(&self, build: &'a ObjectExpression<'a>, config: &mut Config) {
        let mut refuse = |own: &ObjectProperty<'_>, what: &str| {
            config.findings.push(Diagnostic::of(&BUILD_CONFIG_UNUSABLE, args! { what }).at(self.range(own)));
        };
        for name in ["minify", "cssMinify"] {
            let Some(own) = property(build, name) else { continue };
            match self.text(&own.value).as_deref() {
                Some("terser") => refuse(own, "`terser` is not there, leave it out"),
                Some("esbuild") if self.is_rolldown => refuse(own, "`esbuild` is not there, leave it out"),
                _ => {}
            }
        }
        let inside = |own: Option<&'a ObjectProperty<'a>>| own.and_then(|own| self.object(&own.value));
        for options in ["rollupOptions", "rolldownOptions"].iter().filter_map(|name| inside(property(build, name))) {
            let output = inside(property(options, "output"));
            let chunks = output.and_then(|output| property(output, "manualChunks"));
            if let Some(own) = chunks
                .filter(|own| self.is_rolldown && matches!(self.value(&own.value), Expression::ObjectExpression(_)))
            {
                refuse(own, "write `manualChunks` as a function, or leave it out");
            }
        }
    }

    fn are_prefixes(&self, expression: &'a Expression<'a>) -> bool {
        let fits = |text: Option<String>| text.is_some_and(|text| text.starts_with("VITE_"));
        match self.value(expression) {
            Expression::ArrayExpression(list) => list.elements.iter().all(|element| match element {
                ArrayExpressionElement::SpreadElement(_) | ArrayExpressionElement::Elision(_) => false,
                element => element.as_expression().is_some_and(|own| fits(self.text(own))),
            }),
            _ => fits(self.text(expression)),
        }
    }

    fn aliases(&self, root: &'a ObjectExpression<'a>, config: &mut Config) {
        let Some(resolve) = property(root, "resolve") else { return };
        let alias = match self.value(&resolve.value) {
            Expression::ObjectExpression(object) if is_plain(object) => {
                let paths = property(object, "tsconfigPaths").map(|own| self.value(&own.value));
                config.reads_paths = matches!(paths, Some(Expression::BooleanLiteral(value)) if value.value);
                property(object, "alias")
            }
            _ => {
                config.any_alias = true;
                return;
            }
        };
        let Some(alias) = alias else { return };
        match self.value(&alias.value) {
            Expression::ObjectExpression(object) => {
                for property in &object.properties {
                    match property {
                        ObjectPropertyKind::ObjectProperty(own) if !own.computed && key(own).is_some() => {
                            let name = key(own).unwrap_or_default();
                            config.aliases.push(Alias::prefix(name, self.target(&own.value)));
                        }
                        _ => config.any_alias = true,
                    }
                }
            }
            Expression::ArrayExpression(list) => {
                for element in &list.elements {
                    let pair = element.as_expression().and_then(|own| self.object(own));
                    let find = pair.and_then(|pair| property(pair, "find")).and_then(|own| self.text(&own.value));
                    let replacement = pair.and_then(|pair| property(pair, "replacement"));
                    match (find, replacement) {
                        (Some(find), Some(own)) => config.aliases.push(Alias::prefix(find, self.target(&own.value))),
                        _ => config.any_alias = true,
                    }
                }
            }
            _ => config.any_alias = true,
        }
    }

    /// A path from the root of the project; `None` for one that only a run would know.
    fn target(&self, expression: &'a Expression<'a>) -> Option<String> {
        let rooted = |text: &str| {
            let relative = text.strip_prefix('/').or_else(|| text.starts_with("./").then_some(text))?;
            join("", relative)
        };
        let Expression::CallExpression(call) = self.value(expression) else {
            return self.text(expression).and_then(|text| rooted(&text));
        };
        let arguments: Option<Vec<&Expression>> = call.arguments.iter().map(|own| own.as_expression()).collect();
        let arguments = arguments?;
        match self.source.text(call.callee.span()) {
            "path.resolve" | "path.join" | "resolve" | "join" => {
                let (first, rest) = arguments.split_first()?;
                let is_here = matches!(
                    self.source.text(self.value(first).span()),
                    "__dirname" | "import.meta.dirname" | "process.cwd()"
                );
                let texts: Option<Vec<String>> = rest.iter().map(|own| self.text(own)).collect();
                let texts = texts.filter(|texts| is_here && texts.iter().all(|text| !text.starts_with('/')))?;
                join("", &texts.join("/"))
            }
            "fileURLToPath" | "url.fileURLToPath" => {
                let Expression::NewExpression(made) = self.value(arguments.first()?) else { return None };
                let is_url = matches!(plain(&made.callee), Expression::Identifier(name) if name.name == "URL");
                let base = made.arguments.get(1)?.as_expression()?;
                let is_here = self.source.text(base.span()) == "import.meta.url";
                let text = self.text(made.arguments.first()?.as_expression()?)?;
                let relative = text.strip_prefix('/').map_or(text.as_str(), |_| "");
                (is_url && is_here && !relative.is_empty()).then(|| join("", relative))?
            }
            _ => None,
        }
    }
}

/// The value of the only `return` of a function.
fn returned<'a>(statements: &'a [Statement<'a>]) -> Option<&'a Expression<'a>> {
    let mut returns = statements.iter().filter_map(|statement| match statement {
        Statement::ReturnStatement(own) => own.argument.as_ref(),
        _ => None,
    });
    let first = returns.next()?;
    let is_simple = statements.iter().all(|statement| {
        matches!(
            statement,
            Statement::ReturnStatement(_) | Statement::VariableDeclaration(_) | Statement::ExpressionStatement(_)
        )
    });
    (is_simple && returns.next().is_none()).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Config {
        check(&[("vite.config.ts".to_owned(), text.to_owned())].into())
    }

    fn codes_of(text: &str) -> Vec<String> {
        read_text(text).findings.into_iter().map(|one| one.code.to_string()).collect()
    }

    #[test]
    fn literals_through_what_people_write() {
        let fine = [
            "export default { base: './' }",
            "export default defineConfig(({ mode }) => ({ base: '' as const }))",
            "export default defineConfig(() => { console.log(1); return { base: `./` } })",
            "const base = './'; const config = { base } satisfies UserConfig; export default config",
            "module.exports = { 'base': './' }",
            "export default async function () { return { base: './' } }",
            "const out = 'dist'; export default { base: './', build: { outDir: out } }",
        ];
        for text in fine {
            assert_eq!(codes_of(text), [""; 0], "{text}");
        }
        let refused = [
            ("export default make()", "VITE_CONFIG_UNREADABLE"),
            ("export default (m) => { if (m) return { base: './' }; return { base: './' } }", "VITE_CONFIG_UNREADABLE"),
            ("export default { base: './', build: { ...other } }", "VITE_CONFIG_UNREADABLE"),
            ("let base = './'; export default { base }", "VITE_BASE_NOT_RELATIVE"),
            ("export default { base: './', build: { lib: {} } }", "VITE_CONFIG_KEY_FORBIDDEN"),
            ("export default { base: './', envDir: '..' }", "VITE_CONFIG_KEY_FORBIDDEN"),
            ("export default { base: './', build: { minify: 'terser' } }", "BUILD_CONFIG_UNUSABLE"),
            (
                "export default { base: './', build: { rollupOptions: { output: { manualChunks: { a: ['b'] } } } } }",
                "BUILD_CONFIG_UNUSABLE",
            ),
            ("export default { base: './', envPrefix: ['VITE_', 'SECRET_'] }", "VITE_CONFIG_KEY_FORBIDDEN"),
        ];
        for (text, want) in refused {
            assert_eq!(codes_of(text), [want], "{text}");
        }
    }

    #[test]
    fn aliases_in_every_spelling() {
        let text = "const src = path.resolve(__dirname, 'src');\n\
            export default { base: './', resolve: { alias: [\n\
            { find: '@', replacement: src }, { find: '~', replacement: fileURLToPath(new URL('./src/lib', import.meta.url)) },\n\
            { find: 'a', replacement: '/src/a' }, { find: 'b', replacement: make() }, { find: /^c/, replacement: './c' }] } }";
        let config = read_text(text);
        let want = [("@", Some("src")), ("~", Some("src/lib")), ("a", Some("src/a")), ("b", None)];
        let want: Vec<Alias> =
            want.map(|(key, target)| Alias::prefix(key.to_owned(), target.map(str::to_owned))).into();
        assert_eq!(config.aliases, want);
        assert!(config.any_alias, "a pattern fits what nobody can tell");
    }
}
