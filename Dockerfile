# An image that runs tournaments with the bots sandboxed. docs/explanation/security.md has the options of `docker run`
# that it needs.
#
#     docker build -t fa .

FROM debian:bookworm-slim AS wheel
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 python3-venv \
    && python3 -m venv /venv
COPY pyproject.toml setup.py README.md LICENSE /source/
COPY fa_cli /source/fa_cli
COPY bots /source/bots
COPY docs /source/docs
RUN /venv/bin/pip wheel --no-cache-dir --no-deps --wheel-dir /dist /source

FROM debian:bookworm-slim
# bubblewrap and util-linux are for the sandbox, the others run the shipped bots: C, JavaScript, awk, Perl, Python
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        bubblewrap ca-certificates gcc libc6-dev mawk nodejs perl-base python3 python3-venv util-linux \
    && rm -rf /var/lib/apt/lists/*
COPY --from=wheel /dist /dist
RUN python3 -m venv /opt/fa \
    && /opt/fa/bin/pip install --no-cache-dir /dist/*.whl \
    && rm -r /dist \
    && useradd --uid 1000 --create-home fa \
    && install -d -o fa -g fa /data
# compiled bots are cached where any user may write: `docker run --user` names one without a home
ENV PATH="/opt/fa/bin:$PATH" PYTHONUTF8=1 XDG_CACHE_HOME=/tmp/cache
# an ordinary user: bubblewrap then needs no capabilities
USER fa
WORKDIR /data
ENTRYPOINT ["fa"]
CMD ["--help"]
